import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operation, operations } from '../../src/builder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWithRequests, takeRequests, withSingleValues } from './requests.ts';
import { described, runTool, tools } from './tools.ts';

interface Parameter {
  key: string;
  value: string;
  disabled?: boolean;
}

interface Item {
  name: string;
  request: { url: { query: Parameter[] }; body?: { urlencoded: Parameter[] } };
}

const read = () => JSON.parse(readFileSync(described('telephony.postman_collection.json'), 'utf8'));
const itemsOf = (collection: { item: { item: Item[] }[] }) =>
  collection.item.flatMap(({ item }) => item);

/** Fills in parameters like a user who ticks those to send. */
function fillIn(parameters: Parameter[], values: string[][], encode: (value: string) => string) {
  for (const parameter of parameters) {
    const [, value] = values.find(([name]) => name === parameter.key) ?? [];
    parameter.disabled = value === undefined;
    parameter.value = encode(value ?? '');
  }
}

/** The values of the collection's variables. */
const variablesOf = ({
  inPath,
  ...account
}: Awaited<ReturnType<typeof openWithRequests>>['settings']) => ({
  ...account,
  ...inPath,
});

test('Postman sends the requests of the library', async () => {
  const { sandbox, requests: all, ids, settings } = await openWithRequests();
  const requests = all.map(withSingleValues);
  const collection = read();
  const items = itemsOf(collection);
  for (const [index, id] of ids.entries()) {
    const item = items.find(({ name }) => name === operation(id).name);
    const { query, body } = requests[index] ?? { query: [], body: [] };
    fillIn(item?.request.url.query ?? [], query, encodeURIComponent);
    fillIn(item?.request.body?.urlencoded ?? [], body, String);
  }
  const file = join(temporaryFolder('postman'), 'collection.json');
  writeFileSync(file, JSON.stringify(collection));
  const variables = { ...variablesOf(settings), allowWrites: 'true' };
  await runTool(tools, 'run-collection.mjs', file, JSON.stringify(variables));
  const inOrder = (all: object[]) => all.map((one) => JSON.stringify(one)).sort();
  expect(inOrder(takeRequests(sandbox))).toEqual(inOrder(requests));
});

test.each([
  ['is not set', {}],
  ['is empty', { allowWrites: '' }],
  ['is another word', { allowWrites: 'false' }],
])('a run of the Postman collection only reads while allowWrites %s', async (_, given) => {
  const { sandbox, settings } = await openWithRequests();
  const variables = { ...variablesOf(settings), ...given };
  const file = described('telephony.postman_collection.json');
  const printed = await runTool(tools, 'run-collection.mjs', file, JSON.stringify(variables));
  const of = (isRead: boolean) =>
    operations.filter((one) => (one.request.method === 'GET' && !('paid' in one)) === isRead);
  expect(takeRequests(sandbox).map(({ method }) => method)).toEqual(of(true).map(() => 'GET'));
  expect(printed.trim().split('\n').sort()).toEqual(
    of(false)
      .map(
        ({ name }) =>
          `${name} was not sent. To send requests that change something or cost money, set the variable allowWrites to true.`,
      )
      .sort(),
  );
});

// Postman sends a query unchanged, and the service reads a plus sign as a space.
test('no example of a query in the Postman collection has a plus sign', () => {
  const values = itemsOf(read()).flatMap(({ request }) =>
    request.url.query.map(({ value }) => value),
  );
  expect(values).toContain('%2B14155550100');
  expect(values.filter((value) => value.includes('+'))).toEqual([]);
});

test('the Postman collection sends only what an operation requires, until someone ticks more', () => {
  const sent = itemsOf(read()).map(({ name, request }) => {
    const parameters = [...request.url.query, ...(request.body?.urlencoded ?? [])];
    return [name, parameters.flatMap(({ key, disabled }) => (disabled ? [] : [key]))];
  });
  expect(Object.fromEntries(sent)).toMatchObject({
    'Account Calls': [],
    'Get all Recordings for a given Call': ['CallSid'],
    'Recordings by caller id': [],
    'Send SMS': ['From', 'To', 'Body'],
    'Make a Call': ['From', 'To', 'Twiml'],
    'End a Call': ['Status'],
  });
});
