import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { given, NOW, post, sandboxFor } from './client.ts';

const fresh = () => join(temporaryFolder('sandbox'), 'kept', 'records.json');
const DRAFT = { From: '+14155550100', To: '+12025550143', Body: 'Hello' };

test('a records file keeps the records for a sandbox on another day and port', async () => {
  const file = fresh();
  const first = await sandboxFor({ file });
  const call = given(first.calls.find(({ status }) => status === 'in-progress'));
  await post(first, '/Messages.json', DRAFT);
  await post(first, `/Calls/${call.sid}/Recordings.json`);
  await first.close();

  const later = new Date(NOW.getTime() + 3 * 24 * 3600 * 1000);
  const second = await sandboxFor({ file, now: later });
  expect(second.calls).toEqual(first.calls);
  expect(second.messages).toEqual(first.messages);
  expect(second.recordings).toEqual(
    first.recordings.map((one) => ({
      ...one,
      media_url: one.media_url.replace(first.origin, second.origin),
    })),
  );
  expect(readdirSync(join(file, '..'))).toEqual(['records.json']);

  second.reset();
  const third = await sandboxFor({ file });
  expect(third.messages).toHaveLength(25);
  expect(third.calls).toEqual(second.calls);
});

test.each([
  ['a truncated file', '{"root":"/2010-04-01/Acc', /JSON/],
  ['another JSON document', '[1, 2]', /it holds no list of calls, recordings and messages/],
  ['null', 'null', /it holds no list of calls, recordings and messages/],
  ['records without sids', '{"calls":[1],"recordings":[],"messages":[]}', /it holds no list/],
  [
    'the records of another account',
    '{"root":"/2010-04-01/Accounts/AC0","calls":[],"recordings":[],"messages":[]}',
    /it belongs to \/2010-04-01\/Accounts\/AC0, not to/,
  ],
])('the sandbox does not overwrite %s and says what to do', async (_, content, reason) => {
  const file = join(temporaryFolder('sandbox'), 'records.json');
  writeFileSync(file, content);
  const starting = sandboxFor({ file });
  await expect(starting).rejects.toThrow(reason);
  await expect(starting).rejects.toThrow(
    'Delete that file to start with fresh demo records, or name another file.',
  );
  expect(readFileSync(file, 'utf8')).toBe(content);
});

test('a records file that cannot be written stops the start with a clear error', async () => {
  const blocked = join(temporaryFolder('sandbox'), 'file');
  writeFileSync(blocked, '');
  const starting = sandboxFor({ file: join(blocked, 'records.json') });
  await expect(starting).rejects.toThrow(/^The sandbox cannot keep its records in .*Name another/);
});
