import fc from 'fast-check';
import {
  isList,
  isPage,
  operation,
  operations,
  recordShape,
  TelephonyError,
} from '../../src/builder.ts';
import { fixtures } from '../requests/fixtures.ts';
import { serveHttp } from '../support/serve-http.ts';
import { size } from '../support/size.ts';
import { telephonyAt } from './service.ts';

const cases = size(400, 3_000);
const seed = 1_876;
/** The most requests that any response may cause. */
const mostRequests = 60;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const targets = fixtures.map(([id, fixture]) => ({ operation: operation(id), fixture }));

// JSON that no JavaScript value represents: replaced in the text.
const endless = 'becomes 1e999';
const unpaired = 'becomes half a character';

const strange: Json[] = [
  ...[null, true, false, 0, -1, 1e308, 2 ** 53 + 2, -0.5, '', ' ', 'x', '0', '-1e3', 'NaN'],
  ...['Infinity', endless, unpaired, '\u0000', 'x'.repeat(5_000), '__proto__', 'Tue, 99 Nov 2026'],
  ...['9'.repeat(400), '/2010-04-01/Accounts/AC2/Calls.json', 'https://elsewhere.invalid/', '//x'],
  ...['file:///etc/passwd', '?', '#', '/', 'http://[', 8.64e15 + 1, '+275760-09-14T00:00:00Z'],
  ...[[], {}, [null], [[]], [{}], { length: 1e9 }, { toString: 1, valueOf: 1 }, { toJSON: 'x' }],
  ...[
    JSON.parse('{"__proto__":{"polluted":true}}'),
    { constructor: { prototype: { polluted: 1 } } },
  ],
];

const mutation = fc.record({
  at: fc.nat(1_000),
  kind: fc.constantFrom(
    'drop',
    'retype',
    'retype',
    'retype',
    'nest',
    'wrap',
    'copy',
    'add',
    'move',
  ),
  value: fc.constantFrom(...strange),
  key: fc.constantFrom('__proto__', 'constructor', 'toString', 'then', 'sid', 'errors', 'code'),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer Of> ? Of : never;

/** Every position in a document: its parent and its key. */
function placesIn(document: Json): [holder: { [key: string]: Json }, key: string][] {
  const places: [{ [key: string]: Json }, string][] = [];
  const visit = (holder: Json) => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      places.push([holder as { [key: string]: Json }, key]);
      visit((holder as { [key: string]: Json })[key] ?? null);
    }
  };
  visit(document);
  return places;
}

// An own property: an assignment to `__proto__` would not create one.
const put = (holder: object, key: string, value: Json) =>
  Object.defineProperty(holder, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });

function mutate(root: { [key: string]: Json }, { at, kind, value, key }: Mutation) {
  const places = placesIn(root);
  const [holder, name] = places[at % places.length] ?? [root, 'root'];
  const old = holder[name] ?? null;
  const other = places[(at * 31) % places.length];
  if (kind === 'drop') delete holder[name];
  if (kind === 'retype') put(holder, name, structuredClone(value));
  if (kind === 'nest') put(holder, name, { [name]: old });
  if (kind === 'wrap') put(holder, name, [old]);
  if (kind === 'copy') put(holder, name, Array(50).fill(old));
  if (kind === 'add' && typeof old === 'object' && old !== null)
    put(old, key, structuredClone(value));
  if (kind === 'move' && other) put(holder, name, structuredClone(other[0][other[1]] ?? null));
}

const toText = (document: Json | undefined) =>
  (JSON.stringify(document) ?? '')
    .replaceAll(`"${endless}"`, '1e999')
    .replaceAll(unpaired, '\\ud800');

function mutated(document: Json, mutations: Mutation[], kept: number): string {
  const root = { root: structuredClone(document) };
  for (const one of mutations) mutate(root, one);
  const text = toText(root.root);
  return text.slice(0, Math.ceil(text.length * kept));
}

const refusals: [status: number, atRead: string, atWrite: string][] = [
  [400, 'rejected', 'rejected'],
  [401, 'unauthorised', 'unauthorised'],
  [404, 'not-found', 'not-found'],
  [429, 'rate-limited', 'rate-limited'],
  [500, 'unavailable', 'unknown-outcome'],
];
const refusal = {
  code: 21211,
  message: "Invalid 'To' Phone Number",
  detail: 'No such number',
  more_info: 'https://www.twilio.com/docs/errors/21211',
  status: 400,
  errors: [{ code: '21211', message: 'Invalid' }],
};

let answers: (path: string) => [status: number, text: string] = () => [500, ''];
let requests = 0;
let telephony: ReturnType<typeof telephonyAt>;
beforeAll(async () => {
  const { url } = await serveHttp((request, response) => {
    requests += 1;
    request.resume().on('end', () => {
      const [status, text] = answers(request.url ?? '');
      response.writeHead(status).end(text);
    });
  });
  telephony = telephonyAt(url, { maxAttempts: 1, confirmTimeoutMs: 0 });
});

test('every operation has a response to mutate', () => {
  expect(fixtures.map(([id]) => id)).toEqual(operations.map(({ id }) => id).sort());
});

const isValue = (value: unknown) =>
  value === null ||
  typeof value === 'string' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (value instanceof Date && !Number.isNaN(value.getTime()));

function expectRecord(
  record: Record<string, unknown>,
  { key, fields }: ReturnType<typeof recordShape>,
) {
  expect(Object.keys(record)).toEqual(fields.map((field) => field.key));
  expect(Object.values(record).filter((value) => !isValue(value))).toEqual([]);
  expect(typeof record[key]).toBe('string');
  expect(record[key]).not.toBe('');
}

const tally: Record<string, number> = {};

type Target = (typeof targets)[number];

/** The error code of an operation, or `records` if its records are valid. */
async function codeOf({ operation, fixture }: Target): Promise<string> {
  requests = 0;
  let code = 'resolved';
  try {
    const result = await telephony.run(operation.id, fixture.input);
    const shape = recordShape(operation.result.of);
    expect(isPage(result)).toBe(isList(operation));
    if (isPage(result)) {
      const about = result.unreadable ? ['unreadable', 'hint'] : [];
      expect(Object.keys(result)).toEqual(['records', 'more', ...about]);
      expect(typeof result.more).toBe('boolean');
    }
    for (const record of isPage(result) ? result.records : [result]) expectRecord(record, shape);
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    code = error.code;
    expect(error.message.length).toBeLessThan(1_000);
    const { serviceCode = 0 } = error;
    const isText = typeof serviceCode === 'string' && serviceCode.length <= 64;
    expect(isText || Number.isFinite(serviceCode)).toBe(true);
    expect(['string', 'undefined']).toContain(typeof error.serviceMessage);
  }
  tally[code] = (tally[code] ?? 0) + 1;
  expect(requests).toBeLessThanOrEqual(mostRequests);
  return code;
}

const kept = fc.oneof(
  { weight: 9, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
);
const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
const target = fc.constantFrom(...targets);

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

const isWrite = ({ operation }: Target) => operation.request.method !== 'GET';

test(`${cases * 0.8} mutated responses become records or a clear error`, async () => {
  await fc.assert(
    fc.asyncProperty(target, mutations, kept, async (one, changes, share) => {
      const exchanges = [one.fixture, ...(one.fixture.further ?? [])];
      answers = (path) => {
        const { answer } = exchanges.find(({ request }) => request.path === path) ?? one.fixture;
        return [answer.status, mutated(answer.body as Json, changes, share)];
      };
      expect(['resolved', isWrite(one) ? 'unknown-outcome' : 'bad-answer']).toContain(
        await codeOf(one),
      );
    }),
    { numRuns: cases * 0.8, seed, endOnFailure: true },
  );
  for (const code of ['resolved', 'unknown-outcome', 'bad-answer'])
    expect(tally[code]).toBeGreaterThan(cases * 0.03);
});

test(`${cases * 0.2} mutated error responses become the error of their status`, async () => {
  await fc.assert(
    fc.asyncProperty(
      target,
      fc.constantFrom(...refusals),
      mutations,
      kept,
      async (one, expected, changes, share) => {
        const [status, atRead, atWrite] = expected;
        answers = () => [status, mutated(refusal, changes, share)];
        expect(await codeOf(one)).toBe(isWrite(one) ? atWrite : atRead);
      },
    ),
    { numRuns: cases * 0.2, seed, endOnFailure: true },
  );
});
