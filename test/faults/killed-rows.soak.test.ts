import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { bundleProgram } from '../support/bundle-program.ts';
import { size } from '../support/size.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSlowSandbox } from './open-slow-sandbox.ts';
import { peopleOf, text } from './row-runs.ts';
import { skipRetryWaits, telephonyAt } from './service.ts';

const kills = size(3, 60);
const people = 40;

let program: string;
beforeAll(() => {
  program = bundleProgram('test/faults/row-run-child.ts');
});
afterEach(() => jest.restoreAllMocks());

/** Texts the people of a table in a child process, which may be killed after some milliseconds. */
const textInChild = (url: string, folder: string, killAfterMs?: number) =>
  new Promise<'ended' | 'killed'>((end, fail) => {
    const args = [program, url, folder, people, killAfterMs ?? ''].map(String);
    execFile(process.execPath, args, (error, _, printed) => {
      if (error && error.signal !== 'SIGKILL') fail(new Error(printed));
      else end(error ? 'killed' : 'ended');
    });
  });

test(`after ${kills} killed and resumed batches, each person has exactly one message or is reported as unknown`, async () => {
  const sandbox = await openSlowSandbox();
  skipRetryWaits();
  const seen = { killed: 0, checked: 0, unknown: 0 };
  for (let round = 0; round < kills; round += 1) {
    sandbox.messages.length = 0;
    const folder = join(temporaryFolder('rows'), 'table');
    const table = peopleOf(folder, people);
    if ((await textInChild(sandbox.url, folder, (150 * round) / kills)) === 'killed')
      seen.killed += 1;
    const before = await Promise.all(table.map(({ notes }) => notes?.read()));
    seen.checked += before.filter((note) => note?.outcome === 'in progress').length;
    const ends = await text(telephonyAt(sandbox.url, { confirmTimeoutMs: 300 }), table, 1);
    for (const { to, notes } of table) {
      const messages = sandbox.messages.filter((message) => message.to === to);
      const note = await notes?.read();
      const end = ends.get(to);
      if (end === 'unknown') {
        seen.unknown += 1;
        expect(messages.length).toBeLessThan(2);
        expect(note).toEqual({ outcome: 'unknown', time: note?.time });
      } else {
        expect([end, messages.length]).toEqual([end === 'done' ? 'done' : 'already-done', 1]);
        expect(note).toEqual({ outcome: 'sent', sid: messages[0]?.sid, time: note?.time });
      }
    }
  }
  expect(seen.killed).toBeGreaterThan(kills / 2);
  expect(seen.checked).toBeGreaterThan(seen.killed);
  expect(seen.unknown).toBeLessThan(seen.checked);
}, 600_000);

test('three programs that text the same people at once send each person exactly one message', async () => {
  const sandbox = await openSlowSandbox();
  const folder = join(temporaryFolder('rows'), 'table');
  const own = text(telephonyAt(sandbox.url), peopleOf(folder, people));
  const others = [textInChild(sandbox.url, folder), textInChild(sandbox.url, folder)];
  expect(await Promise.all(others)).toEqual(['ended', 'ended']);
  expect(new Set((await own).values())).not.toContain('unknown');
  expect(sandbox.messages.map(({ to }) => to).sort()).toEqual(
    peopleOf(folder, people).map(({ to }) => to),
  );
}, 60_000);
