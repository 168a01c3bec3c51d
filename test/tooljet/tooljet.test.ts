import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { connect, definitions, isList, operation, operations } from '../../src/builder.ts';
import { openWithRequests, takeRequests } from '../descriptions/requests.ts';
import { shownNowhere } from '../support/shown-nowhere.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import {
  fileOf,
  filledIn,
  openServer,
  type Query,
  readJson,
  type Server,
  type Way,
} from './tooljet.ts';

type Opened = Awaited<ReturnType<typeof openWithRequests>>;

let opened: Opened;
let server: Server;
const folder = temporaryFolder('tooljet');

beforeAll(async () => {
  opened = await openWithRequests();
  server = openServer('context', folder);
});

beforeEach(() => {
  opened.sandbox.reset();
  opened.sandbox.requests.length = 0;
});

const run = (query: Query, settings: object = {}, by: Server = server) =>
  by.run({ ...opened.settings, ...settings }, query);

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

/** A query for an SMS that no other test sends. */
function sms() {
  count += 1;
  return { operation: 'send-sms', ...numbers, body: `Your table is ready, number ${count}.` };
}

const sent = ({ body }: { body: string }) =>
  opened.sandbox.messages.filter((message) => message.body === body);

describe('The package', () => {
  test('has a form for each operation, with its fields, labels and help texts', () => {
    const { operation: choice, ...forms } = readJson('lib/operations.json').properties;
    expect(choice).toMatchObject({ key: 'operation', type: 'dropdown-component-flip' });
    expect(choice.list).toEqual(operations.map(({ id, name }) => ({ value: id, name })));
    expect(Object.keys(forms)).toEqual(operations.map(({ id }) => id));
    for (const one of operations) {
      const wanted = one.fields.filter(({ purpose }) => purpose !== 'page-size');
      const keys = wanted.map(({ key }) => key);
      expect(Object.keys(forms[one.id])).toEqual(isList(one) ? [...keys, 'limit'] : keys);
      for (const { key, label, help } of wanted) {
        const field = forms[one.id][key];
        expect(field).toMatchObject({ key, type: 'codehinter', description: help ?? label });
        expect([label, `${label} (* for all)`]).toContain(field.label);
      }
    }
  });

  test('asks for the settings, and has ToolJet encrypt the password', () => {
    const { fields } = definitions.settings;
    const { type, source, properties, required } = readJson('lib/manifest.json');
    expect({ type, kind: source.kind, required }).toEqual({
      ...{ type: 'api', kind: 'telephony', required: ['username', 'password'] },
    });
    const password = { type: 'string', encrypted: true };
    const keys = fields.map(({ key }) => key);
    expect(source.options).toEqual({
      ...Object.fromEntries(keys.map((key) => [key, { type: 'string' }])),
      password,
    });
    const shown = Object.values(properties) as { key: string; label: string; hint: string }[];
    expect(shown.map(({ key, label, hint }) => ({ key, label, help: hint }))).toEqual(
      fields.map(({ key, label, help }) => ({ key, label, help })),
    );
    expect(properties.password).toMatchObject({ type: 'password', encrypted: true });
  });

  test('is a package that ToolJet’s build leaves as it is', () => {
    const { main, scripts, dependencies } = readJson('package.json');
    expect({ main, dependencies }).toEqual({ main: 'dist/index.js' });
    expect(scripts.build).toMatch(/^echo /);
  });
});

// Otherwise each query would have its own rate limit, and open the store again.
test('the service is the same for each query, although ToolJet evaluates the code for each', () => {
  const evaluate = () => {
    const module = { exports: { default: undefined } };
    const code = readFileSync(fileOf('dist/index.js'), 'utf8');
    compileFunction(code, ['module', 'exports', 'require'])(module, module.exports, require);
    return module.exports.default;
  };
  expect(evaluate()).toBeDefined();
  expect(evaluate()).toBe(evaluate());
});

describe('A query', () => {
  test('sends the requests of the library, for every operation', async () => {
    const { sandbox, inputs } = opened;
    const limit = 2;
    for (const [id, { pageSize: _, ...input }] of inputs) {
      await runInLibrary(id, input, limit).catch(() => undefined);
      const requests = takeRequests(sandbox);
      sandbox.reset();
      await run({ operation: id, ...input, limit });
      expect([id, takeRequests(sandbox)]).toEqual([id, requests]);
      expect(requests.length).toBeGreaterThan(0);
      sandbox.reset();
    }
  });

  test.each(['context', 'module'] satisfies Way[])(
    'returns records of a list and one record, evaluated as a %s',
    async (way) => {
      const one = openServer(way);
      const list = { operation: 'calls-by-caller-id', from: '*', status: 'busy', limit: 1 };
      const { status, data } = await run(list, {}, one);
      expect({ status, data }).toEqual({
        status: 'ok',
        data: [expect.objectContaining({ status: 'busy' })],
      });
      const [{ sid }] = data as [{ sid: string }];
      expect(await run({ operation: 'view-a-call', callSid: sid }, {}, one)).toEqual({
        status: 'ok',
        data: expect.objectContaining({ sid, status: 'busy' }),
      });
    },
  );

  test.each([
    ['no operation', {}, 'Choose an operation.', undefined],
    [
      'a binding without a value',
      { operation: 'calls-by-caller-id', from: '{{phone}}', status: '*' },
      '“From” is empty. Enter a value, or * for all.',
      'from',
    ],
    [
      'a field that was emptied',
      { operation: 'calls-by-caller-id', from: '*', status: '' },
      '“Status” is empty. Enter a value, or * for all.',
      'status',
    ],
    [
      'a limit in words',
      { operation: 'account-calls', limit: 'ten' },
      '“Limit” must be a whole number',
      'limit',
    ],
    [
      'no recipient',
      { operation: 'send-sms', ...numbers, to: '{{phone}}', body: 'Hello' },
      '"To" is missing',
      'to',
    ],
  ])('asks nothing of the service for %s', async (_, query, message, field) => {
    expect(await run(filledIn(query, {}))).toEqual({
      status: 'failed',
      message: expect.stringContaining(message),
      description: expect.stringContaining(message),
      data: { code: 'input', ...(field && { field }) },
    });
    expect(takeRequests(opened.sandbox)).toEqual([]);
  });
});

// ToolJet writes "undefined" in its place.
test('a list has no records for a filter that contains a binding without a value', async () => {
  const query = { operation: 'calls-by-caller-id', from: '+{{phone}}', status: '*' };
  expect(await run(filledIn(query, {}))).toEqual({ status: 'ok', data: [] });
});

describe('An SMS', () => {
  test('is sent once by two equal queries at the same time, in two processes', async () => {
    const query = sms();
    const other = openServer('module', folder);
    const results = await Promise.all([run(query), run(query), run(query, {}, other)]);
    const { operation: _, ...values } = query;
    const data = expect.objectContaining({ ...values, sid: sent(query)[0]?.sid });
    expect(results).toEqual(results.map(() => ({ status: 'ok', data })));
    expect(sent(query)).toHaveLength(1);
  });

  test('is sent again later, because two people may get the same', async () => {
    const [one, other] = [sms(), sms()];
    expect((await run(one)).status).toBe('ok');
    expect((await run(other)).status).toBe('ok');
    expect([sent(one), sent(other)]).toEqual([[expect.anything()], [expect.anything()]]);
  });

  test('is not sent again if its process ends, and the query runs again', async () => {
    const query = sms();
    const first = openServer('context', folder);
    opened.sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 60_000 });
    void run(query, {}, first);
    await until(() => sent(query).length > 0);
    first.child.kill('SIGKILL');
    expect(await run(query)).toMatchObject({
      ...{ status: 'failed', data: { code: 'unknown-outcome' } },
      message: expect.stringContaining('did not send again'),
    });
    expect(sent(query)).toHaveLength(1);
  });

  test('is confirmed if the response gets lost', async () => {
    const query = sms();
    opened.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    // A new process, because the sandbox's clock stands still: to an older one, the message was created too early.
    const result = await run(query, {}, openServer('context', folder));
    expect(result).toMatchObject({ status: 'ok', data: { body: query.body } });
    expect(sent(query)).toHaveLength(1);
  });

  test('has an unknown outcome if the service has no message log, and is not sent again', async () => {
    const query = sms();
    opened.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    opened.sandbox.faults.add(shownNowhere);
    const unknown = {
      ...{ status: 'failed', data: { code: 'unknown-outcome' } },
      message: expect.stringContaining('is unknown; it was not sent again'),
    };
    expect(await run(query)).toMatchObject(unknown);
    expect(await run(query)).toMatchObject(unknown);
    expect(sent(query)).toHaveLength(1);
  });

  test('is stored where only this user can read it', async () => {
    await run(sms());
    const { mode } = statSync(join(folder, 'tooljet-telephony'));
    expect((mode & 0o777).toString(8)).toBe('700');
  });
});

describe('The connection', () => {
  test('is tested', async () => {
    const { status } = await server.testConnection(opened.settings);
    expect(status).toBe('ok');
  });

  test('fails with a wrong password, which no result contains', async () => {
    const password = 'Wrong5aSesame5aWrong';
    const settings = { ...opened.settings, password };
    const forms = [password, Buffer.from(`${settings.username}:${password}`).toString('base64')];
    const results = [
      await server.testConnection(settings),
      await run({ operation: 'account-calls' }, { password }),
    ];
    const message = expect.stringContaining('The service rejected the credentials.');
    expect(results).toEqual(
      results.map(() => expect.objectContaining({ status: 'failed', message })),
    );
    for (const form of forms) expect(JSON.stringify(results)).not.toContain(form);
  });
});
