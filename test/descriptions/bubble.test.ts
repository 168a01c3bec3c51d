import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  definitions,
  isList,
  type Operation,
  operation,
  operations,
  recordShape,
} from '../../src/builder.ts';
import { root } from '../support/root.ts';
import { openWithRequests, takeRequests, withSingleValues } from './requests.ts';
import { described } from './tools.ts';

interface Parameter {
  key: string;
  value: string;
  doc?: string;
  optional?: true;
  visibility: 'public' | 'hidden' | 'secret';
}

type Parameters = Record<string, Parameter>;

interface Type {
  caption: string;
  fields: Record<string, { ret_btype: string; caption: string; path: string[] }>;
}

interface Call {
  name: string;
  method: 'get' | 'post';
  publish_as: 'data' | 'action';
  url: string;
  url_params: Parameters;
  params?: Parameters;
  body_type?: 'form_data';
  headers?: Parameters;
  ret_value: string;
  types: string;
}

const files = ['api/raw_calls.json', 'meta_data.json', 'shared_tech_params.json'];
const textOf = (file: string) => readFileSync(described(join('bubble', file)), 'utf8');
const read = (file: string) => JSON.parse(textOf(file));
const calls: Call[] = Object.values(read('api/raw_calls.json').calls);
const callOf = ({ name }: Operation) => {
  const found = calls.find((one) => one.name === name);
  if (!found) throw new Error(`Bubble has no call “${name}”.`);
  return found;
};

/** The operations whose filter the service ignores. */
const isIgnored = (one: Operation) => 'ownedBy' in one;
const offered = operations.filter((one) => !isIgnored(one));

/** Sends a call like Bubble: the values that users enter, hidden ones as they are, and empty optional ones not at all. */
function send(
  { method, url, url_params, params = {}, headers = {} }: Call,
  account: { baseUrl: string; username: string; password: string },
  entered: Record<string, string>,
): Promise<Response> {
  const valueFor = ({ key, value, visibility }: Parameter) =>
    visibility === 'hidden' ? value : visibility === 'secret' ? account.username : entered[key];
  const address = Object.values(url_params).reduce(
    (rest, one) => rest.replace(`[${one.key}]`, encodeURIComponent(valueFor(one) ?? '')),
    url.replace(/^https:\/\/\w+\.twilio\.com/, account.baseUrl),
  );
  const given = Object.values(params).flatMap((one) => {
    const value = valueFor(one);
    return value === undefined && one.optional ? [] : [[one.key, value ?? ''] as const];
  });
  const form = new URLSearchParams(Object.fromEntries(given));
  const { username, password } = account;
  const headerList = Object.values(headers).map(({ key, value }) => [key, value]);
  return fetch(method === 'get' && given.length > 0 ? `${address}?${form}` : address, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${username}:${password}`)}`,
      ...Object.fromEntries(headerList),
    },
    ...(method === 'post' && { body: form.toString() }),
  });
}

test('Bubble sends the requests of the library', async () => {
  const { sandbox, requests, ids, settings } = await openWithRequests();
  const { inPath, ...account } = settings;
  const wanted = [];
  for (const [index, id] of ids.entries()) {
    if (isIgnored(operation(id))) continue;
    const request = requests[index];
    if (!request) throw new Error('Each operation sends a request.');
    const single = withSingleValues(request);
    wanted.push(single);
    const entered = Object.fromEntries([...single.query, ...single.body]);
    await send(callOf(operation(id)), account, { ...inPath, ...entered });
  }
  expect(takeRequests(sandbox)).toEqual(wanted);
});

test.each(files)('%s is written as Bubble writes it', (file) => {
  const keysOf = (value: unknown): string[][] =>
    typeof value !== 'object' || value === null
      ? []
      : [
          ...(Array.isArray(value) ? [] : [Object.keys(value)]),
          ...Object.values(value).flatMap(keysOf),
        ];
  const text = textOf(file);
  expect(JSON.stringify(JSON.parse(text), null, 4)).toBe(text);
  for (const keys of keysOf(JSON.parse(text))) expect(keys).toEqual([...keys].sort());
});

test('Bubble has a call with the name of each operation, except those whose filter the service ignores', () => {
  expect(calls.map(({ name }) => name).sort()).toEqual(offered.map(({ name }) => name).sort());
  expect(operations.length).toBeGreaterThan(offered.length);
  expect(read('meta_data.json')).toMatchObject({
    name: definitions.manifest.name,
    description: expect.stringContaining(definitions.manifest.description),
  });
  for (const one of offered)
    expect(read('meta_data.json').description).toContain(`${one.name}: ${one.description}`);
});

test.each(offered.map((one) => [one.name, one] as const))(
  '%s: the fields have the help texts, and no value that Bubble could send',
  (_, one) => {
    const { url_params, params = {} } = callOf(one);
    const parameters = [...Object.values(url_params), ...Object.values(params)];
    const shown = parameters.filter(({ visibility }) => visibility === 'public');
    expect(shown.filter(({ value }) => value !== '')).toEqual([]);
    for (const { in: place, name, label, help, required } of one.fields) {
      if (place === 'speech') continue;
      const { doc, optional } = shown.find(({ key }) => key === name) ?? {};
      expect(doc).toContain(help ?? label);
      expect(optional).toBe(required ? undefined : true);
    }
  },
);

test('Bubble warns of a filter that is empty', () => {
  const warnedOf = calls.flatMap(({ name, params = {} }) =>
    Object.values(params).flatMap(({ key, doc }) =>
      doc?.endsWith('Careful: if it is empty, the list shows all records.')
        ? [`${name}: ${key}`]
        : [],
    ),
  );
  const filters = offered.flatMap((one) =>
    isList(one)
      ? one.fields
          .filter(({ required, purpose }) => !required && purpose !== 'page-size')
          .map((field) => `${one.name}: ${field.name}`)
      : [],
  );
  expect(warnedOf.sort()).toEqual(filters.sort());
  expect(filters).toContain('Account Messages: To');
});

/** The value at a path, or undefined. */
const valueAt = (record: unknown, path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], record);

const fits = (type: string, value: unknown) => {
  if (value === null || type === 'text') return true;
  if (type === 'number') return value !== '' && !Number.isNaN(Number(value));
  return typeof value === 'boolean';
};

test.each(offered.map((one) => [one.name, one] as const))(
  '%s: the types fit the service’s response',
  (_, one) => {
    const { ret_value, types: text } = callOf(one);
    const types: Record<string, Type> = JSON.parse(text);
    const fixture = join(root, 'test/requests/fixtures', `${one.id}.json`);
    const { body } = JSON.parse(readFileSync(fixture, 'utf8')).answer;
    const main = ret_value.replace('api.PLUGIN_ID.', '');
    const record = isList(one) ? `${main}.${one.result.list}` : main;
    expect(Object.keys(types)).toEqual([...new Set([main, record])]);
    if (isList(one))
      expect(types[main]?.fields[`_p_${one.result.list}`]).toEqual({
        ret_btype: `list.api.PLUGIN_ID.${record}`,
        caption: one.result.list,
        path: [one.result.list],
      });
    const records = isList(one) ? body[one.result.list] : [body];
    expect(records.length).toBeGreaterThan(0);
    const fields = Object.values(types[record]?.fields ?? {});
    expect(fields.map(({ caption, path }) => [caption, path.join('.')])).toEqual(
      recordShape(one.result.of)
        .fields.filter(({ name }) => !name.includes('*'))
        .map(({ label, name }) => [label, name]),
    );
    const wrong = fields.filter(({ path, ret_btype }) =>
      records.some((each: unknown) => !fits(ret_btype, valueAt(each, path) ?? null)),
    );
    expect(wrong).toEqual([]);
  },
);

const account = {
  ...{ key: 'AccountSid', value: '', visibility: 'secret', private: true },
  doc: 'Your Account SID. It is also the username, unless you use an API key.',
};

test('an action is a form with fixed and empty values, and authenticates by the keys of the plugin', () => {
  const { auth, human, calls: byId } = read('api/raw_calls.json');
  expect({ auth, human }).toEqual({ auth: 'basic_auth', human: 'Telephony' });
  const { types, rank, ...call } = byId.EndACall;
  expect(call).toEqual({
    name: 'End a Call',
    method: 'post',
    publish_as: 'action',
    url: 'https://api.twilio.com/2010-04-01/Accounts/[AccountSid]/Calls/[CallSid].json',
    url_params: {
      account,
      callSid: {
        ...{ key: 'CallSid', value: '', visibility: 'public', private: true },
        doc: operation('end-a-call').fields[0]?.help,
      },
    },
    params: { Status: { key: 'Status', value: 'completed', visibility: 'hidden', private: true } },
    body_type: 'form_data',
    headers: {
      contentType: {
        ...{ key: 'content-type', value: 'application/x-www-form-urlencoded' },
        ...{ visibility: 'hidden', private: true },
      },
    },
    ret_value: 'api.PLUGIN_ID.plugin_api.EndACall',
    initialized: true,
    should_reinitialize: false,
  });
});
