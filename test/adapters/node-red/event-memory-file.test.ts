import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventMemoryFile } from '../../../plugin/node-red/event/event-memory-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const noteOf = (sid: string) => {
  const key = `sms-received/${sid}`;
  return { key, signature: `signature of ${sid}`, subject: key, step: 0, lateFrom: 0 };
};
const lineOf = (sid: string) =>
  `${JSON.stringify({ ...noteOf(sid), at: Date.UTC(2026, 10, 20) })}\n`;

/** A memory as it is when Node-RED starts. */
function start(file: string) {
  const warnings: unknown[] = [];
  return { memory: new EventMemoryFile(file, (fault) => warnings.push(fault)), warnings };
}

async function tell({ memory }: ReturnType<typeof start>, ...sids: string[]) {
  for (const sid of sids) {
    await memory.note(noteOf(sid));
    await memory.told(noteOf(sid));
  }
}

async function known({ memory }: ReturnType<typeof start>, ...sids: string[]) {
  const found = [];
  for (const sid of sids) found.push(await memory.note(noteOf(sid)));
  return found;
}

let file: string;
beforeEach(() => {
  file = join(temporaryFolder('memory'), 'events.jsonl');
});

const broken: [what: string, text: string][] = [
  ['a truncated last line', lineOf('SM3').slice(0, 20)],
  ['a number', '5\n'],
  ['null', 'null\n'],
  ['an object of another shape', '{}\n'],
  ['a line without its time', `${JSON.stringify(noteOf('SM3'))}\n`],
  ['zero bytes, as a file system may leave them', '\0\0\0\0\n'],
];
test.each(broken)('a delivery log with %s keeps its other events and new ones', async (_, text) => {
  writeFileSync(file, lineOf('SM1') + (text.endsWith('\n') ? text + lineOf('SM2') : text));
  const first = start(file);
  await tell(first, 'SM2', 'SM4');
  expect(first.warnings).toEqual([]);
  const again = start(file);
  expect(await known(again, 'SM1', 'SM2', 'SM4', 'SM5')).toEqual(['told', 'told', 'told', 'new']);
  expect((await again.memory.last('sms-received'))?.getTime()).toBeGreaterThan(0);
});

test('a delivery log that cannot be repaired is still read, with a warning', async () => {
  writeFileSync(file, lineOf('SM1') + lineOf('SM3').slice(0, 20));
  mkdirSync(`${file}.new`);
  const first = start(file);
  expect(await known(first, 'SM1')).toEqual(['told']);
  expect(first.warnings).toHaveLength(1);
  await tell(first, 'SM2');
  expect(await known(start(file), 'SM1', 'SM2')).toEqual(['told', 'told']);
});

test('events that cannot be written cause a warning and are written later', async () => {
  const first = start(file);
  mkdirSync(file, { recursive: true });
  await tell(first, 'SM1', 'SM2');
  expect(first.warnings).toHaveLength(3);
  rmdirSync(file);
  await tell(first, 'SM3');
  expect(await known(start(file), 'SM1', 'SM2', 'SM3')).toEqual(['told', 'told', 'told']);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
});
