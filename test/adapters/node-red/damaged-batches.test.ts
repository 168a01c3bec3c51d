import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { batchesOf } from '../../../plugin/node-red/batch/batch-store.ts';
import type { NodeRed } from '../../../plugin/node-red/node-red.ts';
import {
  type Action,
  connect,
  definitions,
  isToSend,
  planRow,
  storeHash,
} from '../../../src/builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

const userDir = temporaryFolder('damaged');
let warnings: string[] = [];
const RED = {
  settings: { userDir },
  log: { warn: (text: string) => warnings.push(text) },
} as unknown as NodeRed;

let starts = 0;
/** Opens the batches like Node-RED does when it starts with this file. */
function startWith(text = '', count = '') {
  starts += 1;
  warnings = [];
  const file = join(userDir, `telephony-batches-${starts}.jsonl`);
  writeFileSync(file, text);
  if (count) writeFileSync(`${file}.count`, count);
  return { batches: batchesOf(String(starts), RED), file };
}

const phones = Array.from({ length: 12 }, (_, index) => `+120255501${index + 10}`);
const items = phones.map((to) =>
  planRow(action, {
    ...{ row: ['node', to], name: '', filled: ['to'] },
    input: () => ({ from: '+14155550100', to, body: 'Hello' }),
  }),
);
const press = { owner: 'node', actionId: action.id, button: 'B', context: {} };

/** The people who got a text, and the file, when Node-RED was killed while texts were in progress. */
async function crash() {
  const { batches, file } = startWith();
  const reached: string[] = [];
  const headers = { date: new Date().toUTCString() };
  let kill = () => {};
  const killed = new Promise<void>((resolve) => {
    kill = resolve;
  });
  const telephony = connect({
    ...{ username: `AC${'1'.repeat(32)}`, password: 'not-a-real-token' },
    limits: { confirmTimeoutMs: 0, batchConcurrency: 5 },
    async http({ method, body }) {
      if (method === 'POST') reached.push(new URLSearchParams(body).get('To') ?? '');
      if (reached.length > 6) await killed;
      const answer = method === 'POST' ? { sid: `SM${reached.length}` } : { messages: [] };
      const status = method === 'POST' ? 201 : 200;
      return {
        status,
        headers,
        body: (async function* () {
          yield Buffer.from(JSON.stringify(answer));
        })(),
      };
    },
  });
  const { key } = await batches.openPreview(press, { items });
  const work = { action, open: async () => telephony, report: () => {} };
  await batches.start(key, press.owner, work);
  await until(() => reached.length === 11);
  const text = readFileSync(file, 'utf8');
  const count = readFileSync(`${file}.count`, 'utf8');
  const known = [...reached];
  kill();
  await until(async () => (await batches.open(key, press.owner)).state === 'ended');
  // Compacts the file, so that it has one entry of each.
  await batches.expire();
  return {
    ...{ text, count, reached: known },
    ended: readFileSync(file, 'utf8'),
    endedCount: readFileSync(`${file}.count`, 'utf8'),
  };
}

let text: string;
let count: string;
let ended: string;
let endedCount: string;
let reached: string[];
beforeAll(async () => {
  ({ text, count, reached, ended, endedCount } = await crash());
});

/** Returns the numbers that a next start of the rows would text. */
async function textedNext(file: string, count?: string) {
  const { batches } = startWith(file, count);
  const left = await batches.remaining(press, { items });
  return phones.filter((_, index) => left[index] && isToSend(left[index]));
}

test('a file that is not damaged sends to the others, without a warning', async () => {
  const others = phones.filter((to) => !reached.includes(to));
  expect(others).toHaveLength(1);
  for (const whole of [text, `${text}\n{"kind":"batches","key":"cut`, `${text}\n{"kind`]) {
    expect(await textedNext(whole)).toEqual(others);
    expect(warnings).toEqual([]);
  }
});

test('a file that lost its end says so and, if it still has the batch, texts no one again', async () => {
  const lines = text.split('\n');
  const hasBatch = lines.findIndex((line) => line.startsWith('{"kind":"batches"'));
  const missed: unknown[] = [];
  // The last write may only have been interrupted.
  const [, last = 0] = /^(\d+) /.exec(lines[2 * Number(count)] ?? '') ?? [];
  expect(Number(last)).toBe(Number(count));
  for (let index = 0; index < 2 * Number(count); index += 1) {
    const left = lines.slice(0, index).join('\n');
    const half = lines[index]?.slice(0, 20);
    for (const file of [left, `${left}\n${half}`, left.padEnd(text.length, '\0')]) {
      const again = (await textedNext(file, count)).filter((to) => reached.includes(to));
      const isKnown = index > hasBatch + 1;
      if ((isKnown && again.length > 0) || !/is damaged/.test(warnings.join()))
        missed.push([index, again, warnings]);
    }
  }
  expect(missed).toEqual([]);
  for (const file of [text, `${text}\n{"kind":"batches","key":"cut`]) {
    await textedNext(file, count);
    expect(warnings).toEqual([]);
  }
});

test('a file that lost its end after it was rewritten says so', async () => {
  const end = ended.lastIndexOf('\n{');
  for (const file of [ended.slice(0, end), '', ended.slice(0, end).padEnd(ended.length, '\0')]) {
    await textedNext(file, endedCount);
    expect(warnings).toEqual([expect.stringContaining('is damaged')]);
  }
  await textedNext(ended, endedCount);
  expect(warnings).toEqual([]);
});

test('a file that is damaged at any place texts no one again, and is reported', async () => {
  const lines = text.split('\n').slice(1);
  const starts = lines.map((_, index) => lines.slice(0, index).join('\n').length + 1);
  const missed: unknown[] = [];
  async function expectNoRepeat(how: string, index: number, damaged: string) {
    const again = (await textedNext(damaged)).filter((to) => reached.includes(to));
    if (again.length > 0 || warnings.length !== 1) missed.push([how, index, again, warnings]);
  }
  // If the last entry is missing, nothing was sent after it.
  for (const [index, line] of lines.slice(0, -2).entries()) {
    const [start = 0, next = 0] = starts.slice(index);
    const middle = start + Math.floor(line.length / 2);
    const change = (by: string) => text.slice(0, start) + by + text.slice(start + line.length);
    await expectNoRepeat('overwritten', index, change(`${line.slice(0, -9)}xxxxxxxxx`));
    await expectNoRepeat('zeros', index, change('\0'.repeat(line.length)));
    await expectNoRepeat('cut', index, text.slice(0, middle) + text.slice(next + 40));
    if (!line.startsWith('{')) continue;
    await expectNoRepeat('cut out', index, text.slice(0, start) + text.slice(starts[index + 2]));
    await expectNoRepeat('valid', index, change(line.replace(/"key":"./, '"key":"_')));
  }
  const last = `${text}`.replace(/[^\n]*(?=\n[^\n]*$)/, '{}');
  await expectNoRepeat('last', lines.length, last);
  expect(missed).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/^The file .*\.jsonl is damaged: .* check/s)]);
});

test('in a file that was rewritten, with changes before their rows, a lost change texts no one again', async () => {
  const isRows = (line: string) => line.startsWith('{"kind":"batch rows"');
  const entries = text.split('\n').filter((line) => line.startsWith('{'));
  const lines = [...entries.filter((line) => !isRows(line)), ...entries.filter(isRows)];
  const first = lines.findIndex((line) => line.startsWith('{"kind":"batch changes"'));
  const file = lines
    .flatMap((line, index) => {
      const check = storeHash(String(index + 1), line).slice(0, 16);
      return [index === first ? '{}' : line, `${index + 1} ${check}`];
    })
    .join('\n');
  const again = (await textedNext(`\n${file}`)).filter((to) => reached.includes(to));
  expect(again).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('is damaged: 1 entry is lost.')]);
});

test.each([
  ['batch previews', {}],
  ['batch starts', {}],
  ['batch history', {}],
  ['batch keys', {}],
  ['batches', { isDeleted: true }],
])(
  'a file that lost the entry of the %s of an ended batch says so, or knows it anyway',
  async (kind, previous) => {
    const isEntry = (line: string) => line.startsWith(`{"kind":"${kind}"`);
    const lines = ended.split('\n').map((line) => (isEntry(line) ? '{}' : line));
    // The rest of a log that has ended was deleted.
    expect(lines.filter((line) => line.startsWith('{"'))).toHaveLength(5);
    const { batches, file } = startWith(lines.join('\n'));
    const known = await batches.previous(press);
    expect(known).toMatchObject(previous);
    const left = await batches.remaining(press, { items });
    const repeated = left.filter(({ isRepeated }) => isRepeated);
    expect(repeated).toHaveLength('isDeleted' in previous ? 0 : 12);
    expect(warnings).toEqual([
      expect.stringContaining(`The file ${file} is damaged: 1 entry is lost.`),
    ]);
    // The next write repairs the file.
    await batches.openPreview(press, { items });
    const again = startWith(readFileSync(file, 'utf8'));
    expect(await again.batches.previous(press)).toEqual(known);
    expect(warnings).toEqual([]);
  },
);

test('a file of an earlier version, without checksums, keeps its batches', async () => {
  const earlier = text
    .split('\n')
    .filter((line) => !/^\d/.test(line))
    .join('\n');
  expect(await textedNext(earlier)).toEqual(await textedNext(text));
  // The earlier version can append to a file of this one.
  const [line = ''] = earlier.split('\n').slice(-1);
  expect(await textedNext(`${text}\n${line}`)).toEqual(await textedNext(text));
  expect(warnings).toEqual([]);
});
