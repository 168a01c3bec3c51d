import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, definitions } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const tools = join(__dirname, 'tools');
const described = (file: string) => join(root, 'dist/openapi', file);
const run = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)(process.execPath, args, { cwd })).stdout;

test.each(['openapi-3.1.json', 'openapi-3.0.json'])(
  'Redocly finds nothing to warn of in %s, and it is valid',
  async (file) => {
    expect(JSON.parse(await run(tools, 'lint.mjs', described(file)))).toEqual([]);
  },
);

/** The inputs of the calls in `tools/client.ts`, in their order. */
const inputs = (
  sids: Record<'callSid' | 'messageSid' | 'recordingSid', string>,
): [id: string, input: object][] => {
  const { callSid, messageSid, recordingSid } = sids;
  const numbers = { from: '+14155550100', to: '+12025550143' };
  const pageSize = 2;
  return [
    ['view-a-call', { callSid }],
    ['account-calls', {}],
    ['calls-by-caller-id', { status: 'busy', from: numbers.from, pageSize }],
    ['get-all-recordings-for-a-given-call', { callSid, pageSize }],
    ['recordings-by-caller-id', { pageSize }],
    [
      'calls-by-number-and-date',
      {
        ...{ status: 'completed', ...numbers, pageSize },
        ...{ startTimeAfter: '2026-11-01', startTimeBefore: '2026-11-30T09:00:00Z' },
      },
    ],
    [
      'recordings-by-date',
      { dateCreatedAfter: '2026-11-01', dateCreatedBefore: '2026-11-30', pageSize },
    ],
    ['view-a-message', { messageSid }],
    [
      'account-messages',
      { ...numbers, dateSentAfter: '2026-11-01', dateSentBefore: '2026-11-30', pageSize },
    ],
    ['media-of-a-message', { messageSid, pageSize }],
    ['phone-numbers', { phoneNumber: numbers.from, pageSize }],
    ['create-a-call-recording', { callSid }],
    ['stop-a-call-recording', { callSid, recordingSid }],
    ['end-a-call', { callSid }],
    ['make-a-call', { ...numbers, url: 'https://www.example.com/instructions.xml' }],
    [
      'send-a-message',
      {
        ...{ messagingServiceSid: 'MG0123456789abcdef0123456789abcdef', to: numbers.to },
        ...{ body: 'Hi & bye', mediaUrl: 'https://www.example.com/menu.png' },
        ...{ sendAt: '2026-11-30T09:00:00Z', scheduleType: 'fixed' },
      },
    ],
    ['send-sms', { ...numbers, body: 'Hi 😀' }],
  ];
};

const sorted = (text: string) => [...new URLSearchParams(text)].sort();

/** The requests since the last call. The order of parameters means nothing. */
const takeRequests = ({ requests }: Sandbox) =>
  requests.splice(0).map(({ method, path, query, body, user }) => {
    return { method, path, query: sorted(query), body: sorted(body), user };
  });

test('a generated client sends the requests of the library', async () => {
  const folder = temporaryFolder('client');
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'), 'dir');
  cpSync(join(tools, 'client.ts'), join(folder, 'client.ts'));
  cpSync(join(tools, 'package.json'), join(folder, 'package.json'));
  const tool = (path: string) => join(tools, 'node_modules', path);
  const client = join(folder, 'client.ts');
  await run(
    folder,
    ...[tool('openapi-typescript/bin/cli.js'), described('openapi-3.1.json')],
    ...['-o', join(folder, 'service.ts')],
  );
  await run(
    folder,
    ...[
      join(root, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--module',
      'preserve',
    ],
    ...['--target', 'es2023', '--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node'],
    ...['--typeRoots', join(root, 'node_modules/@types'), client],
  );

  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const { username, password, url: baseUrl } = sandbox;
  const sids = {
    callSid: sandbox.calls[0]?.sid ?? '',
    messageSid: sandbox.messages[0]?.sid ?? '',
    recordingSid: sandbox.recordings[0]?.sid ?? '',
  };
  const table = inputs(sids);
  expect(table.map(([id]) => id).sort()).toEqual(
    [...definitions.dataSources, ...definitions.actions].map(({ id }) => id).sort(),
  );
  const { run: runOperation } = connect({ username, password, baseUrl });
  for (const [id, input] of table) await runOperation(id, input).catch(() => undefined);
  const expected = takeRequests(sandbox);
  sandbox.reset();
  sandbox.requests.length = 0;

  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs');
  await run(
    folder,
    '--import',
    tsx,
    client,
    JSON.stringify({ ...sids, baseUrl, username, password }),
  );
  expect(takeRequests(sandbox)).toEqual(expected);
  expect(expected).toHaveLength(table.length);
});

interface Described {
  parameters: { in?: string; name: string }[];
  requestBody?: { content: Record<string, { schema: { properties: object } }> };
  responses: object;
}

interface Shape {
  parameters: string[];
  body: string[];
  statuses: string[];
}

const official: { operations: Record<string, Shape>; records: Record<string, string[]> } =
  JSON.parse(readFileSync(join(__dirname, 'official.json'), 'utf8'));
const ours = JSON.parse(readFileSync(described('openapi-3.1.json'), 'utf8'));

/** What the service doesn't document: the name of a caller, by which the plugin then filters itself. */
const undocumented = ['From of GET /2010-04-01/Accounts/{}/Recordings.json'];

test("does not contradict the service's own OpenAPI document", () => {
  const contradictions: string[] = [];
  for (const [path, methods] of Object.entries<Record<string, Described>>(ours.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      const known = official.operations[name];
      const body =
        operation.requestBody?.content['application/x-www-form-urlencoded']?.schema.properties;
      const queries = operation.parameters.filter((one) => one.in === 'query');
      const statuses = Object.keys(operation.responses).filter((status) => status < '4');
      contradictions.push(
        ...queries
          .filter((one) => !known?.parameters.includes(one.name))
          .map((one) => `${one.name} of ${name}`),
        ...Object.keys(body ?? {})
          .filter((one) => !known?.body.includes(one))
          .map((one) => `${one} in the body of ${name}`),
        ...statuses
          .filter((one) => !known?.statuses.includes(one))
          .map((one) => `${one} of ${name}`),
      );
    }
  expect(contradictions).toEqual(undocumented);
});

test.each(Object.entries(official.records))(
  "the record %s has the types of the service's own OpenAPI document, but for one undocumented field",
  (id, types) => {
    const { properties } = ours.components.schemas[id];
    const found = Object.entries<{ type?: string[] }>(properties)
      .filter(([name, { type }]) => {
        const wanted = types.find((one) => one.startsWith(`${name}: `))?.replace(/^.*: /, '');
        const accepted = wanted === 'integer' ? 'number' : wanted;
        return !wanted || (type && wanted !== 'any' && !type.includes(accepted ?? ''));
      })
      .map(([name]) => name);
    expect(found).toEqual(id === 'Recording' ? ['track'] : []);
  },
);
