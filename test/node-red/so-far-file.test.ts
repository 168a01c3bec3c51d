import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { soFarOf } from '../../plugin/node-red/event/so-far-file.ts';
import type { NodeRed } from '../../plugin/node-red/node-red.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const userDir = temporaryFolder('so-far');
const warnings: string[] = [];
const RED = {
  settings: { userDir },
  log: { warn: (text: string) => warnings.push(text) },
} as unknown as NodeRed;
beforeEach(() => {
  warnings.length = 0;
});

type File = ReturnType<typeof soFarOf>;

const write = (soFar: string) => (file: File) => file.write(soFar);
const forget = (file: File) => file.forget();

const atOnce: [what: string, steps: ((file: File) => unknown)[], kept: string | undefined][] = [
  ['nothing', [], undefined],
  ['what was written', [write('1')], '1'],
  ['the last that was written', [write('1'), write('2'), write('3')], '3'],
  ['nothing of what was forgotten', [write('1'), forget], undefined],
  ['what was written after it was forgotten', [write('1'), forget, write('2')], '2'],
];
test.each(atOnce)('it keeps %s, also where all is asked for at once', async (what, steps, kept) => {
  const file = soFarOf(RED, what);
  const done = steps.map((step) => step(file));
  const known = file.read();
  await Promise.all(done);
  expect(await known).toBe(kept);
  const isThere = existsSync(join(userDir, `telephony-events-${encodeURIComponent(what)}.json`));
  expect({ isThere, warnings }).toEqual({ isThere: kept !== undefined, warnings: [] });
});

test('where the disk fails it is known as long as the process lasts, and said', async () => {
  mkdirSync(join(userDir, 'telephony-events-failing.json.new'));
  const file = soFarOf(RED, 'failing');
  await file.write('1');
  expect(await file.read()).toBe('1');
  expect(warnings).toEqual([
    expect.stringContaining('After a restart it is not known how far events were read'),
  ]);
  expect(readdirSync(userDir)).not.toContain('telephony-events-failing.json');
});
