import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messagesOf, phoneOf } from '../stores/batch-of-sms.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { hasSqlite } from '../support/has-sqlite.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = 80;

let program: string;
beforeAll(() => {
  program = bundleProgram('test/stores/full-disk-child.ts');
});

// Only Linux can limit the files of a program that runs.
const onlyLinux = process.platform === 'linux' ? test : test.skip;

onlyLinux.each([
  ['Node-RED', 'batches.jsonl'],
  ...(hasSqlite ? [['SQLite', 'private/store.sqlite']] : []),
] as [store: string, file: string][])(
  'on a disk that gets full during a batch, with the file of %s, the batch says so, and the next one sends to no one twice',
  async (store, file) => {
    const { username, password, url: baseUrl, messages } = await openSandbox();
    messages.length = 0;
    const path = join(temporaryFolder('full-disk'), file);
    /** Runs the batch in another process, whose disk is full once so many rows were sent. */
    async function run(...full: number[]) {
      const settings = JSON.stringify({ username, password, baseUrl });
      const args = [program, store, path, settings, count, ...full].map(String);
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return JSON.parse(stdout) as { outcome: string; message?: string }[];
    }
    const full = await run(20);
    const first = messages.map(({ to }) => to);
    const stopped = full.filter(({ outcome }) => outcome === 'not-run');
    const reasons = [...new Set(stopped.map(({ message }) => message))];
    expect(reasons).toContainEqual(
      expect.stringMatching(/^Nothing was sent: the plugin could not use its file .* free space/),
    );
    expect(full.filter(({ outcome }) => outcome === 'done')).toHaveLength(first.length);
    expect(first.length).toBeGreaterThanOrEqual(20);
    const next = (await run()).map(({ outcome }) => outcome);
    const sent = next.map((_, index) => messages.filter(({ to }) => to === phoneOf(index)).length);
    expect({ next, sent }).toEqual({ next, sent: next.map((outcome) => messagesOf[outcome]) });
    // One whose start was stored, but nothing after it.
    expect(next.filter((outcome) => outcome === 'unknown').length).toBeLessThan(20);
  },
);
