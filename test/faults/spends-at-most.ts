import { execFile } from 'node:child_process';
import { root } from '../support/root.ts';
import { size } from '../support/size.ts';
import { sandboxWith } from './lost-responses.ts';

const limit = 100;
const attempts = size(150, 1_000);
const rounds = size(1, 4);

/** How many actions a process of the test has in progress. A kill can lose as many places. */
const inProgress = 10;

/**
 * The tests of what all processes of a store may send together.
 *
 * @param program returns the path of the bundled child program
 * @param place returns where a new store is
 */
export function spendsAtMost(
  program: () => string,
  store: string,
  place: () => string | Promise<string>,
  processes = size(4, 10),
) {
  const start = (url: string, at: string, name: string, killBefore?: number) =>
    new Promise<'ended' | 'killed'>((end, fail) => {
      const args = [program(), url, store, at, limit, attempts, name, killBefore ?? ''].map(String);
      execFile(process.execPath, args, { cwd: root }, (error, _, printed) => {
        if (error && error.signal !== 'SIGKILL') fail(new Error(printed));
        else end(error ? 'killed' : 'ended');
      });
    });

  test(`${store}: exactly the limit is sent by ${processes} at the same moment`, async () => {
    const sandbox = await sandboxWith();
    const at = await place();
    const names = Array.from({ length: processes }, (_, index) => `Process ${index}`);
    await Promise.all(names.map((name) => start(sandbox.url, at, name)));
    expect(sandbox.messages).toHaveLength(limit);
  }, 600_000);

  test(`${store}: at most the limit is sent, however many are killed`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const sandbox = await sandboxWith();
      const at = await place();
      const names = Array.from({ length: processes }, (_, index) => `Process ${index}`);
      // Every other one, so that the places that kills may lose are less than the limit.
      const moments = names.map((_, index) =>
        index % 2 === 0 ? Math.floor(Math.random() * attempts) : undefined,
      );
      const ends = await Promise.all(
        names.map((name, index) => start(sandbox.url, at, name, moments[index])),
      );
      expect(ends).toEqual(moments.map((at) => (at === undefined ? 'ended' : 'killed')));
      await start(sandbox.url, at, 'The last');
      expect(sandbox.messages.length).toBeLessThanOrEqual(limit);
      expect(sandbox.messages.length).toBeGreaterThanOrEqual(
        limit - Math.ceil(processes / 2) * inProgress,
      );
    }
  }, 600_000);
}
