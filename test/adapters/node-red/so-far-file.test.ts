import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { soFarOf } from '../../../plugin/node-red/event/so-far-file.ts';
import type { NodeRed } from '../../../plugin/node-red/node-red.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
  ['the written cursor', [write('1')], '1'],
  ['the last written cursor', [write('1'), write('2'), write('3')], '3'],
  ['nothing after a reset', [write('1'), forget], undefined],
  ['the cursor written after a reset', [write('1'), forget, write('2')], '2'],
];
test.each(atOnce)(
  'the cursor file keeps %s, even if all steps run at once',
  async (what, steps, kept) => {
    const file = soFarOf(RED, what);
    const done = steps.map((step) => step(file));
    const known = file.read();
    await Promise.all(done);
    expect(await known).toBe(kept);
    const isThere = existsSync(join(userDir, `telephony-events-${encodeURIComponent(what)}.json`));
    expect({ isThere, warnings }).toEqual({ isThere: kept !== undefined, warnings: [] });
  },
);

test('a cursor file on a failing disk keeps the cursor in memory, with a warning', async () => {
  mkdirSync(join(userDir, 'telephony-events-failing.json.new'));
  const file = soFarOf(RED, 'failing');
  await file.write('1');
  expect(await file.read()).toBe('1');
  expect(warnings).toEqual([
    expect.stringContaining('Cannot store the polling cursor, so a restart may skip events'),
  ]);
  expect(readdirSync(userDir)).not.toContain('telephony-events-failing.json');
});
