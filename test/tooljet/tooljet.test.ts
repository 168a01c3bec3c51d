import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { definitions, isList, operations } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { runsQueries } from '../support/runs-queries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import {
  fileOf,
  filledIn,
  openServer,
  type Query,
  type Result,
  readJson,
  type Way,
} from './tooljet.ts';

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
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  beforeEach(() => {
    sandbox.requests.length = 0;
  });

  function run(query: Query, way: Way = 'context') {
    const { url: baseUrl, username, password } = sandbox;
    return openServer(way).run({ baseUrl, username, password }, query);
  }

  test.each(['context', 'module'] satisfies Way[])(
    'returns records of a list and one record, evaluated as a %s',
    async (way) => {
      const list = { operation: 'calls-by-caller-id', from: '*', status: 'busy', limit: 1 };
      const { status, data } = await run(list, way);
      expect({ status, data }).toEqual({
        status: 'ok',
        data: [expect.objectContaining({ status: 'busy' })],
      });
      const [{ sid }] = data as [{ sid: string }];
      expect(await run({ operation: 'view-a-call', callSid: sid }, way)).toEqual({
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
      'no recipient',
      { operation: 'send-sms', from: '+14155550100', to: '{{phone}}', body: 'Hello' },
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
    expect(sandbox.requests).toEqual([]);
  });

  // ToolJet writes "undefined" in its place.
  test('has no records for a filter that contains a binding without a value', async () => {
    const query = { operation: 'calls-by-caller-id', from: '+{{phone}}', status: '*' };
    expect(await run(filledIn(query, {}))).toEqual({ status: 'ok', data: [] });
  });
});

/** Returns the records of a result, or throws the message that ToolJet shows. */
function recordsOf({ status, data, ...error }: Result): object[] {
  if (status !== 'ok') throw Object.assign(new Error(error.message), { data, ...error });
  return [data as object].flat();
}

runsQueries(() => {
  const folder = temporaryFolder('tooljet');
  const servers = [openServer('context', folder), openServer('module', folder)] as const;
  let count = 0;
  return {
    async run(operation, values, settings) {
      count += 1;
      const server = servers[count % 2 ? 0 : 1];
      return recordsOf(await server.run(settings, { operation, ...values }));
    },
    async runAfterKill(operation, values, settings, hasSent) {
      const query = { operation, ...values };
      const first = openServer('context', folder);
      void first.run(settings, query);
      await until(hasSent);
      first.child.kill('SIGKILL');
      const result = await servers[0].run(settings, query);
      expect(result).toMatchObject({ status: 'failed', data: { code: 'unknown-outcome' } });
      return String(result.message);
    },
    async testConnection(settings) {
      const { status, message } = await servers[0].testConnection(settings);
      return status === 'ok' ? '' : String(message);
    },
    store: join(folder, 'tooljet-telephony'),
  };
});
