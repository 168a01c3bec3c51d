import { statSync } from 'node:fs';
import { join } from 'node:path';
import { connect, isList, operation } from '../../src/builder.ts';
import { openWithRequests, takeRequests } from '../descriptions/requests.ts';
import { failureOf } from '../support/failure-of.ts';
import { shownNowhere } from '../support/shown-nowhere.ts';
import { until } from '../support/until.ts';
import { type Farm, load, openFarm } from './farm.ts';
import { unpack } from './unpack.ts';

type Opened = Awaited<ReturnType<typeof openWithRequests>>;

const { files, schema, plugin } = unpack();
let opened: Opened;
let farm: Farm;

beforeAll(async () => {
  opened = await openWithRequests();
  farm = openFarm();
});

beforeEach(() => {
  opened.sandbox.reset();
  opened.sandbox.requests.length = 0;
});

const run = (kind: string, query: object, settings: object = {}) =>
  farm.run({ plugin, settings: { ...opened.settings, ...settings }, kind, query });

async function runInLibrary(id: string, input: object, limit: number) {
  const { username, password, baseUrl } = opened.settings;
  const telephony = connect({ username, password, baseUrl });
  const one = operation(id);
  if (!isList(one)) await telephony.run(one.id, input);
  else
    for await (const page of telephony.pages(one.id, input, { limit })) expect(page).toBeDefined();
}

const numbers = { from: '+14155550100', to: '+12025550143' };
let count = 0;

/** An SMS that no other test sends. */
function sms() {
  count += 1;
  return { ...numbers, body: `Your table is ready, number ${count}.` };
}

const sent = ({ body }: { body: string }) =>
  opened.sandbox.messages.filter((message) => message.body === body);

describe('The package', () => {
  test('contains what Budibase unpacks', () => {
    expect(files).toEqual(
      expect.arrayContaining(['icon.svg', 'package.json', 'plugin.min.js', 'schema.json']),
    );
  });

  test('is accepted by Budibase’s validator', () => {
    const { validate } = load('@budibase/backend-core/plugins');
    expect(() => validate(schema)).not.toThrow();
    const { friendlyName: _, ...unnamed } = schema.schema;
    expect(() => validate({ ...schema, schema: unnamed })).toThrow('friendlyName');
  });

  test('describes a list and an action', () => {
    const { query } = schema.schema;
    expect(query['calls-by-caller-id']).toMatchObject({
      ...{ type: 'fields', displayName: 'Calls by caller id', readable: true },
      fields: {
        status: { type: 'string', required: false, display: 'Status (* for all)' },
        from: { type: 'string', required: false, display: 'From (* for all)' },
        limit: { type: 'number', required: false, display: 'Limit (100 if empty)' },
      },
    });
    expect(query['send-sms']).toEqual({
      ...{ type: 'fields', displayName: 'Send SMS', readable: false },
      fields: {
        from: { type: 'string', required: true, display: 'From' },
        to: { type: 'string', required: true, display: 'To' },
        body: { type: 'longForm', required: true, display: 'Body' },
      },
    });
  });
});

describe('A query', () => {
  test('sends the requests of the library, for every operation', async () => {
    const { sandbox, inputs } = opened;
    const limit = 2;
    for (const [id, { pageSize: _, ...input }] of inputs) {
      await runInLibrary(id, input, limit).catch(() => undefined);
      const requests = takeRequests(sandbox);
      sandbox.reset();
      await run(id, { ...input, limit }).catch(() => undefined);
      expect([id, takeRequests(sandbox)]).toEqual([id, requests]);
      expect(requests.length).toBeGreaterThan(0);
      sandbox.reset();
    }
  });

  test.each([
    ['*', '*', 3],
    [numbers.to, '*', 2],
    [numbers.to, 'busy', 1],
  ])('lists calls from %s with the status %s', async (from, status, limit) => {
    const rows = await run('calls-by-caller-id', { from, status, limit });
    expect(rows).toHaveLength(limit);
    for (const row of rows as object[])
      expect(row).toMatchObject({
        ...(from !== '*' && { from }),
        ...(status !== '*' && { status }),
      });
  });

  test.each([
    [
      'an empty binding',
      { from: '', status: '*' },
      '“From” is empty. Enter a value, or * for all.',
    ],
    ['spaces', { from: ' ', status: '*' }, '“From” is empty. Enter a value, or * for all.'],
    ['an unknown status', { from: '*', status: 'lost' }, '"Status" must be one of'],
    [
      'a limit in words',
      { from: '*', status: '*', limit: 'ten' },
      '“Limit” must be a whole number',
    ],
    ['a limit of 0', { from: '*', status: '*', limit: 0 }, '“Limit” must be a whole number'],
  ])('asks nothing of the service for %s', async (_, query, message) => {
    expect(await failureOf(run('calls-by-caller-id', query))).toContain(message);
    expect(takeRequests(opened.sandbox)).toEqual([]);
  });

  test('names the missing recipient, and sends nothing', async () => {
    const query = { ...sms(), to: '' };
    expect(await failureOf(run('send-sms', query))).toContain('"To" is missing');
    expect(takeRequests(opened.sandbox)).toEqual([]);
  });
});

describe('An SMS', () => {
  test('is sent once by two equal queries at the same time', async () => {
    const query = sms();
    const [one, other] = await Promise.all([run('send-sms', query), run('send-sms', query)]);
    expect(one).toEqual(other);
    expect(one).toEqual([expect.objectContaining({ ...query, sid: sent(query)[0]?.sid })]);
    expect(sent(query)).toHaveLength(1);
  });

  test('is not sent again if its process ends, and Budibase runs the query again', async () => {
    const query = sms();
    opened.sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 60_000 });
    const failure = failureOf(run('send-sms', query));
    await until(() => sent(query).length > 0);
    for (const child of farm.children) child.kill('SIGKILL');
    expect(await failure).toContain('did not send again');
    expect(sent(query)).toHaveLength(1);
  });

  test('is confirmed if the response gets lost', async () => {
    const query = sms();
    opened.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    expect(await run('send-sms', query)).toEqual([expect.objectContaining(query)]);
    expect(sent(query)).toHaveLength(1);
  });

  test('has an unknown outcome if the service has no message log, and is not sent again', async () => {
    const query = sms();
    opened.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    opened.sandbox.faults.add(shownNowhere);
    const unknown = 'is unknown; it was not sent again';
    expect(await failureOf(run('send-sms', query))).toContain(unknown);
    expect(await failureOf(run('send-sms', query))).toContain(unknown);
    expect(sent(query)).toHaveLength(1);
  });

  test('is stored where only this user can read it', async () => {
    await run('send-sms', sms());
    const { mode } = statSync(join(farm.folder, 'budibase-telephony'));
    expect((mode & 0o777).toString(8)).toBe('700');
  });
});

describe('The connection', () => {
  test('is tested', async () => {
    expect(await run('testConnection', {})).toEqual({ connected: true });
  });

  test('fails with a wrong password, which no error contains', async () => {
    const password = 'Wrong5aSesame5aWrong';
    const { username } = opened.settings;
    const forms = [password, Buffer.from(`${username}:${password}`).toString('base64')];
    const test = await run('testConnection', {}, { password });
    expect(test).toEqual({
      connected: false,
      error: expect.stringContaining('The service rejected the credentials.'),
    });
    const error = (await run('account-calls', {}, { password }).catch((caught) => caught)) as Error;
    const text = JSON.stringify([test, error, Object.entries(error), error.message, error.stack]);
    for (const form of forms) expect(text).not.toContain(form);
  });
});
