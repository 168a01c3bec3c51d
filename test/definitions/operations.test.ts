import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { definitions } from '../../generated/definitions.ts';
import { root } from '../support/root.ts';

const operations = [...definitions.dataSources, ...definitions.actions];

test('the definitions include the seven required operations', () => {
  const table = operations.map(({ name, request, fields }) => [
    name,
    `${request.method} ${request.path}`,
    fields.map((field) => `${field.in} ${field.name}`).join(', '),
  ]);
  const seven = [
    ['View a Call', 'GET /Calls/{CallSid}.json', 'path CallSid'],
    ['Account Calls', 'GET /Calls.json', ''],
    ['Calls by caller id', 'GET /Calls.json', 'query Status, query From, query PageSize'],
    [
      'Get all Recordings for a given Call',
      'GET /Recordings.json',
      'query CallSid, query PageSize',
    ],
    ['Recordings by caller id', 'GET /Recordings.json', 'query From, query PageSize'],
    ['Create a Call Recording', 'POST /Calls/{CallSid}/Recordings.json', 'path CallSid'],
    ['Send SMS', 'POST /Messages.json', 'form From, form To, form Body'],
  ];
  expect(table).toEqual(expect.arrayContaining(seven));
});

test('the settings start with username and password', () => {
  expect(definitions.settings.fields.slice(0, 2).map(({ label, type }) => [label, type])).toEqual([
    ['username', 'sid'],
    ['password', 'secret'],
  ]);
});

/** Values that services send, and that the official documentation omits or added recently. */
const answered: [record: string, key: string, values: string[]][] = [
  ['call', 'direction', ['inbound', 'outbound', 'trunking-originating', 'trunking-terminating']],
  ['call', 'answeredBy', ['human', 'machine_start', 'machine_end_beep', 'fax', 'unknown']],
  ['message', 'status', ['initiated', 'partially_delivered', 'scheduled', 'read']],
  ['message', 'direction', ['inbound', 'outbound']],
  ['recording', 'status', ['queued', 'resumed', 'absent']],
  ['recording', 'track', ['inbound', 'outbound', 'both']],
];

test.each(answered)('the choices of %s.%s include %j', (record, key, values) => {
  const shape = definitions.records.find(({ id }) => id === record);
  const options = shape?.fields.find((field) => field.key === key)?.options;
  expect(options).toEqual(expect.arrayContaining(values));
});

const { events } = definitions;
const replies = events.flatMap((event) => event.replies ?? []);
const names = [...operations, ...events, ...replies.filter(({ id }) => id !== 'reply')].map(
  ({ name }) => name,
);
const words = [
  ...operations.flatMap(({ id, request }) => [id, request.path]),
  // What the plugin raises has the name of the error that is its reason.
  ...events.filter(({ raisedBy }) => !raisedBy).map(({ id }) => id),
];
const wireNames = [
  ...definitions.actions.flatMap(({ request }) => Object.keys(request.fixed ?? {})),
  ...operations.flatMap(({ fields }) => fields.map((field) => field.name)),
  ...events.flatMap(({ when, parameters }) =>
    [...(when ?? []), ...parameters].map(({ name }) => name),
  ),
  // The only element that code names: it writes it for fields of the type speech.
  ...replies.flatMap(({ elements }) => elements).filter((name) => name !== 'Say'),
  ...replies.flatMap(({ fixed = {}, reported }) => [
    ...Object.keys(fixed),
    ...(reported ? [reported.to] : []),
  ]),
];

/** All lines of code, after their place. */
const code = ['src', 'plugin']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ),
  )
  .map(({ parentPath, name }) => join(parentPath, name))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, index): [place: string, line: string] => [
        `${relative(root, file)}:${index + 1}`,
        line,
      ]),
  );

const findInCode = (isFound: (line: string) => boolean) =>
  code.filter(([, line]) => isFound(line)).map((found) => found.join(':'));

// The outcome of a batch's row, which columns of users have, is the id of an event, too.
const outcomes = new Set(['opted-out']);

test.each(
  [...new Set([...words, '/Calls', '/Recordings', '/Messages'])].filter(
    (word) => !outcomes.has(word),
  ),
)('code in src/ and plugin/ never names %s', (word) => {
  expect(findInCode((line) => line.toLowerCase().includes(word.toLowerCase()))).toEqual([]);
});

// With its capitals only: some names are plain words, such as phone numbers.
test.each(names)('code in src/ and plugin/ never names %s', (name) => {
  expect(findInCode((line) => line.includes(name))).toEqual([]);
});

test.each([...new Set(wireNames)])(
  'code in src/ and plugin/ never contains the wire name %s',
  (name) => {
    const quoted = new RegExp(`['"\`]${name}['"\`]`);
    expect(findInCode((line) => quoted.test(line))).toEqual([]);
  },
);

// Once Node 22 has optimised it, it refuses letters such as "ö".
test('code in src/ and plugin/ never calls URL.canParse', () => {
  expect(findInCode((line) => line.includes('canParse('))).toEqual([]);
});
