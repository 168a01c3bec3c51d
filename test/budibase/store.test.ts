import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openSqliteStore, operation, queryRunner, TelephonyError } from '../../src/builder.ts';
import { keepsLogs } from '../stores/keeps-entries.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import './farm.ts';

const shared = join(temporaryFolder('budibase-store'), 'entries.sqlite');

keepsLogs(() => openSqliteStore(shared));

/** A folder for a store, and the path of its file. */
function newPath() {
  const folder = join(temporaryFolder('budibase-files'), 'folder');
  return { folder, path: join(folder, 'entries.sqlite') };
}

const space =
  'Check that its disk has free space and that this user can write to it, and try again.';

const unusable: [what: string, make: (folder: string, path: string) => void, reason: string][] = [
  [
    'that is no database',
    (folder, path) => {
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(path, 'No database. '.repeat(100));
    },
    '(file is not a database). Delete the file, and try again.',
  ],
  [
    'that is a folder',
    (folder, path) => {
      mkdirSync(path, { recursive: true });
      chmodSync(folder, 0o700);
    },
    `(unable to open database file). ${space}`,
  ],
  ['whose folder is a file', (folder) => writeFileSync(folder, ''), `(EEXIST). ${space}`],
];

test.each(unusable)('a file %s is an error that says what to do', async (_, make, reason) => {
  const { folder, path } = newPath();
  make(folder, path);
  await expect(openSqliteStore(path).get('k', 'a')).rejects.toEqual(
    new TelephonyError(
      'unavailable',
      `Nothing was sent: the plugin could not use its file ${path} ${reason}`,
    ),
  );
});

/** Another process that creates the file, and is still writing. */
const writer = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData);
  database.exec('begin immediate; create table other (id)');
  parentPort.postMessage('writing');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  database.exec('commit');
`;

test('opening a file waits while another process writes to it', async () => {
  const { folder, path } = newPath();
  mkdirSync(folder, { mode: 0o700 });
  const worker = new Worker(writer, { eval: true, workerData: path });
  await once(worker, 'message');
  const ended = once(worker, 'exit');
  expect(await openSqliteStore(path).insert('k', { key: 'a', value: 1 })).toBe(true);
  await ended;
});

test('the file contains nothing that was deleted or replaced', async () => {
  const { path } = newPath();
  const store = openSqliteStore(path);
  for (const key of ['deleted', 'replaced'])
    await store.insert('k', { key, value: `A secret text that is ${key}. `.repeat(50) });
  const entry = await store.get('k', 'replaced');
  if (entry) await store.swap('k', entry, '');
  await store.expire('k', Date.now() + 1_000);
  expect(readFileSync(path).includes('A secret text')).toBe(false);
});

test('the first query deletes the results of actions of an ended process', async () => {
  const builder = `test-${randomUUID()}`;
  const folder = join(tmpdir(), `${builder}-telephony`);
  closeAfterwards({ close: async () => rmSync(folder, { recursive: true, force: true }) });
  const store = openSqliteStore(join(folder, 'actions.sqlite'));
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now - 3_700_000);
  await store.insert('clicks', { key: 'old', value: 'A text' });
  jest.restoreAllMocks();
  await store.insert('clicks', { key: 'new', value: 'A text' });
  const { username, password, url: baseUrl } = await openSandbox();
  const run = queryRunner({ builder, waitMs: 10_000, readMs: 10_000 });
  await run({ username, password, baseUrl }, operation('account-calls'), {});
  await until(async () => (await store.get('clicks', 'old')) === undefined);
  expect(await store.get('clicks', 'new')).toBeDefined();
});

test('a verb that fails has a code, and the next one opens the file again', async () => {
  const { folder, path } = newPath();
  const store = openSqliteStore(path);
  await store.insert('k', { key: 'a', value: 1 });
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  await expect(store.get('k', 'a')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(path),
  });
  rmSync(folder);
  expect(await store.insert('k', { key: 'a', value: 2 })).toBe(true);
});

test('after the file was deleted, all processes use the new one', async () => {
  const { path } = newPath();
  const one = openSqliteStore(path);
  await one.insert('k', { key: 'a', value: 1 });
  rmSync(path);
  const other = openSqliteStore(path);
  expect(await one.insert('k', { key: 'b', value: 1 })).toBe(true);
  expect(await other.insert('k', { key: 'b', value: 2 })).toBe(false);
  expect(await one.get('k', 'a')).toBeUndefined();
});

test.each([
  [
    'that other users can open',
    (folder: string) => {
      mkdirSync(folder);
      chmodSync(folder, 0o755);
    },
  ],
  [
    'that is a link',
    (folder: string) => symlinkSync(temporaryFolder('budibase-elsewhere'), folder),
  ],
])('is not opened in a folder %s', async (_, make) => {
  const { folder, path } = newPath();
  make(folder);
  await expect(openSqliteStore(path).get('k', 'a')).rejects.toThrow(
    `Nothing was sent: other users can open the folder ${folder}. Close it to them: chmod 700 ${folder}`,
  );
});
