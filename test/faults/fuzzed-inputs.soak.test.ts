import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import {
  type Field,
  isAction,
  type Operation,
  operations,
  TelephonyError,
} from '../../src/builder.ts';
import { serveHttp } from '../support/serve-http.ts';
import { size } from '../support/size.ts';
import { accountPath, telephonyAt } from './service.ts';

const cases = size(400, 4_000);
const seed = 4_711;

const targets = operations.flatMap((operation) =>
  [...operation.fields, undefined].map((field) => ({ operation, field })),
);

interface Sent {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let sent: Sent[] = [];
const answers = JSON.stringify({
  sid: 'XX1',
  calls: [],
  recordings: [],
  messages: [],
  media_list: [],
  incoming_phone_numbers: [],
  usage_records: [],
  transcriptions: [],
  contents: [],
  phone_number: '+14155550100',
  account_sid: 'AC1',
});
let telephony: ReturnType<typeof telephonyAt>;
let host = '';
beforeAll(async () => {
  const { url } = await serveHttp(
    async (request, response) => {
      const { method = '', url = '', headers } = request;
      sent.push({ method, url, headers, body: await text(request) });
      response.end(answers);
    },
    { maxHeaderSize: 100_000 },
  );
  host = new URL(url).host;
  telephony = telephonyAt(url);
});

const validValues: Record<Field['type'], string | number> = {
  phone: '+14155550100',
  sid: 'CA1',
  text: 'Hello',
  map: '1=Ada',
  speech: 'Hello',
  choice: 'busy',
  integer: 5,
  date: '2026-11-21',
  day: '2026-11-21',
};

/** A valid input, in which a field may be changed. Of fields that exclude each other, it has that one or the first. */
function validInput(operation: Operation, changed: string | undefined): Values {
  const [first, ...others] = isAction(operation) ? (operation.exactlyOneOf ?? []) : [];
  const isFirst = !others.some((key) => key === changed);
  const left = isFirst ? others : [first, ...others.filter((key) => key !== changed)];
  const used = operation.fields.filter(
    ({ key, needs = [] }) => ![key, ...needs].some((one) => left.includes(one)),
  );
  return Object.fromEntries(
    used.map(({ key, type, options }) => [key, options?.[0] ?? validValues[type]]),
  );
}

const nasty = [
  ...['..', '.', '/', '\\', '../../AC2', '..\\..', '%2e%2e', '%2E%2e%2f', '%00', 'CA1/../../AC2'],
  ...['CA1?x=1', 'CA1#x', 'CA1;x', 'CA1&To=1', '//elsewhere.invalid', 'https://elsewhere.invalid/'],
  ...['a\r\nX-Injected: 1', '\r\n\r\nGET / HTTP/1.1', '\n', '\0', 'a\0b', '\u001b[2J', '\u007f'],
  ...[
    '\ud800',
    'a\udc00b',
    '\ud83d\ude00',
    '\u202e+14155550100',
    '\ufeff',
    '\u2028',
    'ＣＡ１',
    'é',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '{CallSid}',
    '$&',
    "$'",
  ],
  ...['0', '-1', '1e3', '1001', '1000', '0x10', ' 7 ', '٣', '1.0', '+5', '9'.repeat(400), 'NaN'],
  ...['+1 (415) 555-0100', '+', '+-.', '12345', 'whatsapp:+14155550100', 'client:a b', 'a+b%2B c'],
  ...[
    'busy',
    'BUSY',
    'in-progress',
    ' busy ',
    'busy\0',
    'null',
    'undefined',
    "' OR 1=1 --",
    '{{x}}',
  ],
  ...['x'.repeat(1_600), '😀'.repeat(1_600), 'x'.repeat(1_601), 'C'.repeat(64), 'C'.repeat(65)],
];
const megabyte = fc
  .constantFrom('x', '+', '/', '😀', '\ud800', '\r\n')
  .map((one) => one.repeat(1e6 / one.length));
const hostile = fc.oneof(
  { weight: 120, arbitrary: fc.constantFrom(...nasty) },
  { weight: 60, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  {
    weight: 40,
    arbitrary: fc
      .tuple(fc.constantFrom(...nasty), fc.constantFrom(...nasty))
      .map(([a, b]) => a + b),
  },
  { weight: 40, arbitrary: fc.double() },
  { weight: 40, arbitrary: fc.integer({ min: -2, max: 1_002 }) },
  {
    weight: 20,
    arbitrary: fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
    }),
  },
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      null,
      undefined,
      true,
      Symbol('x'),
      () => 'x',
      [],
      ['CA1'],
      {},
      new Date(0),
    ),
  },
  { weight: 1, arbitrary: megabyte },
);
const ownKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'x',
  'Body',
  '\r\n',
);

/** What people and spreadsheets mean by a number, without what they write around its digits. Anything else is a name and stays as it is. */
function dialled(entered: string): string {
  const visible = entered.replace(/\p{Cf}/gu, '').trim();
  const [, whole = visible] = /^(\+?\d+)[.,]0+$/.exec(visible) ?? [];
  const digits = whole.replace(/[\p{Zs}\p{Pd}\t./()[\]]/gu, '');
  const [, channel = '', number = digits] = /^([a-z]+:)(\+\d+)$/i.exec(digits) ?? [];
  if (/^\+\d+$/.test(number)) return channel.toLowerCase() + number;
  // Digits of other scripts become those of a number.
  return /^\p{Nd}+$/u.test(digits)
    ? digits.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
        String(digit.charCodeAt(0) & 15),
      )
    : visible;
}

const lines = (text: string) =>
  text
    .trim()
    .split(/\s*[\r\n]+\s*/)
    .map((line): [string, string] => {
      const at = line.search(/[=:]/);
      return [line.slice(0, at).trim(), line.slice(at + 1)];
    });
const mapped = (entries: [string, unknown][]) =>
  JSON.stringify(
    Object.fromEntries(entries.sort().map(([name, value]) => [name, String(value).trim()])),
  );

/** The expected value of a field on the wire; undefined for none. */
function meant({ type, name, default: otherwise }: Field, value: unknown): string | undefined {
  if (type === 'date' && value instanceof Date) return `${value.toISOString().slice(0, 19)}Z`;
  if (type === 'day' && value instanceof Date) return value.toISOString().slice(0, 10);
  if (type === 'map' && typeof value === 'object' && value !== null)
    return mapped(Object.entries(value));
  const text = String(value ?? '');
  if (text.trim() === '') return otherwise === undefined ? undefined : String(otherwise);
  if (type === 'text' || type === 'speech') return text;
  if (type === 'map')
    return mapped(text.startsWith('{') ? Object.entries(JSON.parse(text)) : lines(text));
  if (type === 'integer') return String(Number(text));
  const trimmed = text.trim();
  // A range includes the day that ends it, and the service stops where that day begins.
  if (type === 'date' && name.endsWith('<') && /^\d{4}-\d\d-\d\d$/.test(trimmed)) {
    const day = new Date(trimmed);
    day.setUTCDate(day.getUTCDate() + 1);
    return day.toISOString().slice(0, 10);
  }
  return type === 'phone' ? dialled(trimmed) : trimmed;
}

type Values = Record<string, unknown>;

function wireOf(operation: Operation, { url, body }: Sent) {
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  const isPhone = (name: string) =>
    operation.fields.some((field) => field.name === name && field.type === 'phone');
  const pairs = (parameters: URLSearchParams) =>
    [...parameters].map(([name, value]) => [name, isPhone(name) ? dialled(value) : value]);
  return {
    pathname: decodeURIComponent(pathname),
    query: pairs(searchParams),
    form: pairs(new URLSearchParams(body)),
  };
}

const escaped = (text: string, characters: [string, string][]) =>
  characters.reduce(
    (xml, [character, entity]) => xml.split(character).join(entity),
    [...text].filter((one) => one >= ' ' || '\t\n\r'.includes(one)).join(''),
  );
const always: [string, string][] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['\r', '&#xD;'],
];
const inAttributes: [string, string][] = [
  ...always,
  ['"', '&quot;'],
  ['\n', '&#xA;'],
  ['\t', '&#x9;'],
];

/** The TwiML of a spoken text, which is one parameter on the wire. */
function spoken({ fields }: Operation, values: Values, text: string) {
  const attributes = fields.flatMap((field) => {
    const value = field.in === 'speech' ? meant(field, values[field.key]) : undefined;
    return value === undefined ? [] : ` ${field.name}="${escaped(value, inAttributes)}"`;
  });
  return `<Response><Say${attributes.join('')}>${escaped(text, always)}</Say></Response>`;
}

/** What an operation adds to a time at which the service is to send. */
const scheduled = ({ fields }: Operation, values: Values): Values =>
  Object.fromEntries(
    (fields as Field[]).flatMap((field) =>
      meant(field, values[field.key]) === undefined
        ? []
        : Object.entries(field.schedule?.with ?? {}),
    ),
  );

function expectedWire(operation: Operation, values: Values) {
  const added = scheduled(operation, values);
  const pairs = (place: Field['in']) =>
    operation.fields
      .filter((field) => field.in === place)
      .map((field): [string, string | undefined] => {
        const value = meant(field, values[field.key]) ?? meant(field, added[field.key]);
        const isSpoken = field.type === 'speech' && value !== undefined;
        return [field.name, isSpoken ? spoken(operation, values, value) : value];
      })
      .filter(([, value]) => value !== undefined);
  const segments = new Map(pairs('path'));
  const path = operation.request.path.replace(/\{(\w+)\}/g, (_, name) => segments.get(name) ?? '');
  const fixed = Object.entries(operation.request.fixed ?? {});
  const [inQuery, inForm] = isAction(operation) ? [[], fixed] : [fixed, []];
  return {
    pathname: (operation.request.host ? '' : accountPath) + path,
    query: [...pairs('query'), ...inQuery],
    form: [...pairs('form'), ...inForm],
  };
}

const tally = { sent: 0, refused: 0 };

async function check(operation: Operation, input: Values) {
  sent = [];
  const before = new Set(Object.getOwnPropertyNames(Object.prototype));
  try {
    await telephony.run(operation.id, input);
  } catch (error) {
    expect(error).toBeInstanceOf(TelephonyError);
    expect((error as TelephonyError).code).toBe('input');
    expect(sent).toEqual([]);
    tally.refused += 1;
    return;
  } finally {
    expect(new Set(Object.getOwnPropertyNames(Object.prototype))).toEqual(before);
  }
  tally.sent += 1;
  expect(sent.map(({ method, headers }) => [method, headers.host, headers['x-injected']])).toEqual([
    [operation.request.method, host, undefined],
  ]);
  expect(sent.map((one) => wireOf(operation, one))).toEqual([expectedWire(operation, input)]);
}

test(`${cases} hostile inputs go to the right path of the right host, or cause an input error`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...targets),
      hostile,
      ownKey,
      async ({ operation, field }, value, key) => {
        const base = validInput(operation, field?.key);
        // A computed key, so that `__proto__` is an ordinary one.
        await check(operation, { ...base, [field?.key ?? key]: value });
      },
    ),
    { numRuns: cases, seed, endOnFailure: true },
  );
  expect(tally.sent + tally.refused).toBe(cases);
  expect(tally.sent).toBeGreaterThan(cases / 8);
  expect(tally.refused).toBeGreaterThan(cases / 5);
});

test.each([null, undefined, 'text', 5, [], ['CA1'], [['callSid', 'CA1']]])(
  '%j as the input counts as empty or causes an input error',
  async (input) => {
    for (const { id } of operations) {
      sent = [];
      const code = await telephony.run(id, input as object).then(
        () => 'sent',
        (error) => error.code,
      );
      expect([id, code, sent.length]).toEqual(code === 'sent' ? [id, 'sent', 1] : [id, 'input', 0]);
    }
  },
);
