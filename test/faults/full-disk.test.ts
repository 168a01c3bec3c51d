import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { phoneOf } from '../stores/batch-of-sms.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { hasSqlite } from '../support/has-sqlite.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const count = 200;

let program: string;
beforeAll(() => {
  program = bundleProgram('test/stores/full-disk-child.ts');
});

const onlyPosix = process.platform === 'win32' ? test.skip : test;

onlyPosix.each([
  ['Node-RED', 'batches.jsonl', 105] as const,
  ...(hasSqlite ? [['SQLite', 'private/store.sqlite', 145] as const] : []),
])(
  'on a disk that gets full during a batch, with the file of %s, the batch says so, and the next one sends to no one twice',
  async (store, file, kilobytes) => {
    const { username, password, url: baseUrl, messages } = await openSandbox();
    messages.length = 0;
    const path = join(temporaryFolder('full-disk'), file);
    /** Runs the batch in a process whose files can't grow beyond a limit. */
    async function run(limit: number | 'unlimited') {
      const blocks = limit === 'unlimited' ? limit : limit * 2;
      const settings = JSON.stringify({ username, password, baseUrl });
      const child = [process.execPath, program, store, path, settings, count].map(String);
      const script = 'ulimit -f "$0" && exec "$@"';
      const { stdout } = await promisify(execFile)('sh', ['-c', script, String(blocks), ...child]);
      return JSON.parse(stdout) as { outcome: string; message?: string }[];
    }
    const full = await run(kilobytes);
    const first = messages.map(({ to }) => to);
    const stopped = full.filter(({ outcome }) => outcome === 'not-run');
    const reasons = [...new Set(stopped.map(({ message }) => message))];
    expect(reasons).toContainEqual(
      expect.stringMatching(/^Nothing was sent: the plugin could not use its file .* free space/),
    );
    expect(full.filter(({ outcome }) => outcome === 'done')).toHaveLength(first.length);
    expect(first.length).toBeGreaterThan(0);
    const next = await run('unlimited');
    expect([...new Set(next.map(({ outcome }) => outcome))].sort()).toEqual([
      'already-done',
      'done',
    ]);
    expect(messages.map(({ to }) => to).sort()).toEqual(
      Array.from({ length: count }, (_, index) => phoneOf(index)),
    );
  },
);
