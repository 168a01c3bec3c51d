import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { root } from '../root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openSlowly } from './open-slowly.ts';
import { peopleOf, text } from './row-runs.ts';
import { hurry, telephonyAt } from './service.ts';

/** How many runs are killed. */
const kills = Number(process.env.KILLS ?? 12);
const people = 40;

afterEach(() => jest.restoreAllMocks());

/** Texts the people of a table in a program of its own, which is killed at a moment. */
const textInChild = (url: string, folder: string, moment?: number) =>
  new Promise<'ended' | 'killed'>((end, fail) => {
    const file = resolve(__dirname, 'row-run-child.ts');
    const args = ['--import', 'tsx', file, url, folder, people, moment ?? ''].map(String);
    execFile(process.execPath, args, { cwd: root }, (error, _, printed) => {
      if (error && error.signal !== 'SIGKILL') fail(new Error(printed));
      else end(error ? 'killed' : 'ended');
    });
  });

test(`of ${kills} runs that are killed and go on, each person has exactly one message or is named`, async () => {
  const sandbox = await openSlowly();
  hurry();
  const seen = { killed: 0, lookedFor: 0, unknown: 0 };
  for (let round = 0; round < kills; round += 1) {
    sandbox.messages.length = 0;
    const folder = join(temporaryFolder('rows'), 'table');
    const table = peopleOf(folder, people);
    if ((await textInChild(sandbox.url, folder, (150 * round) / kills)) === 'killed')
      seen.killed += 1;
    const before = await Promise.all(table.map(({ notes }) => notes?.read()));
    seen.lookedFor += before.filter((note) => note?.outcome === 'under way').length;
    const ends = await text(telephonyAt(sandbox.url, { confirm: 300 }), table, 0);
    for (const { to, notes } of table) {
      const messages = sandbox.messages.filter((message) => message.to === to);
      const note = await notes?.read();
      const end = ends.get(to);
      if (end === 'unknown') {
        seen.unknown += 1;
        expect(messages.length).toBeLessThan(2);
        expect(note).toEqual({ outcome: 'unknown', time: note?.time });
      } else {
        expect([end, messages.length]).toEqual([end === 'done' ? 'done' : 'before', 1]);
        expect(note).toEqual({ outcome: 'done', sid: messages[0]?.sid, time: note?.time });
      }
    }
  }
  if (process.env.KILLS) console.log(JSON.stringify(seen));
  expect(seen.killed).toBeGreaterThan(kills / 2);
  expect(seen.lookedFor).toBeGreaterThan(seen.killed);
  expect(seen.unknown).toBeLessThan(seen.lookedFor);
}, 600_000);

test('of three programs that text the same people at once, each person has exactly one message', async () => {
  const sandbox = await openSlowly();
  const folder = join(temporaryFolder('rows'), 'table');
  const own = text(telephonyAt(sandbox.url), peopleOf(folder, people));
  const others = [textInChild(sandbox.url, folder), textInChild(sandbox.url, folder)];
  expect(await Promise.all(others)).toEqual(['ended', 'ended']);
  expect(new Set((await own).values())).not.toContain('unknown');
  expect(sandbox.messages.map(({ to }) => to).sort()).toEqual(
    peopleOf(folder, people).map(({ to }) => to),
  );
}, 60_000);
