import { execFile } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import fc from 'fast-check';
import { readDate } from '../../src/response/read-date.ts';
import { bundleProgram } from '../support/bundle-program.ts';

let program: string;
beforeAll(() => {
  program = bundleProgram('test/requests/dates-child.ts');
});

interface Reading {
  read: number | null;
  date: number | null;
}

/** How the plugin and `Date` read texts on a machine in another time zone. */
async function readIn(zone: string, texts: string[]): Promise<Reading[]> {
  const env = { PATH: process.env.PATH, TZ: zone };
  const child = execFile(process.execPath, [program], { env });
  child.stdin?.end(JSON.stringify(texts));
  return JSON.parse(child.stdout ? await readAll(child.stdout) : '[]');
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'sat', 'Jan', 'Xyz'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');
const upTo = (max: number) => fc.integer({ min: 0, max }).map(two);

/** Texts in the usual format and similar ones, valid or not. */
const text = fc
  .tuple(
    fc.constantFrom(...days),
    fc.oneof(upTo(33), fc.constantFrom('1', ' 1', '+1')),
    fc.constantFrom(...months, 'Foo', 'nov'),
    fc.constantFrom('2026', '2025', '1000', '0999', '0026', '0100', '9999', '26', '-026'),
    fc.tuple(upTo(25), upTo(61), upTo(61)).map((parts) => parts.join(':')),
    fc.constantFrom('+0000', '-0000', '+0200', '-0730', 'GMT', 'EST', '+00000', '+000', 'Z', ''),
  )
  .map(([day, ...rest]) => `${day}, ${rest.join(' ')}`);

/** A text with one changed character. */
const misspelt = fc
  .tuple(text, fc.nat(31), fc.constantFrom(' ', ':', '0', '9', '/', 'x', '+', '١'))
  .map(([right, at, other]) => right.slice(0, at) + other + right.slice(at + 1));

/** Formats of other services, some without a time zone. */
const others = fc
  .tuple(
    fc.constantFrom('2026-11-10T10:15:09', '2026-11-10 10:15:09', '2026-03-08T02:30', '2026-11-10'),
    fc.constantFrom('', '.5', '.123456'),
    fc.constantFrom('', '', 'Z', 'z', ' UTC', '+02:00', '-0730', '-03:30', ' PST'),
  )
  .map((parts) => parts.join(''));
const rare = fc.constantFrom(
  '10 Nov 2026',
  '2026-11',
  '2026',
  'Nov 10, 2026 10:15 PM',
  'Nov 10, 2026 10:15 PM -0500',
  'Tue Nov 10 2026 10:15:09 GMT+0100 (Central European Standard Time)',
  'Tue, 10 Nov 2026 10:15:09 GMT-0800',
  'Tue Nov 10 10:15:09 2026',
  'Tue, 10 Nov 2026 10:15:09 (UTC)',
  'Tue, 10 Nov 2026 10:15:09 -0500 (EST)',
  '11/10/2026, 10:15:09 PM',
  '11/10/2026',
  '2026/11/10',
  '10-Nov-2026',
  '10-Nov-2026 10:15',
  'Nov 10, 2026 1:15 am',
  '2026-11-10 1:15',
  '2026-11-10 1:15-05:00',
  '2026-11-10 10:15:09 est',
);

// The oracle: `Date` on a machine in UTC.
test('reads a date as Date does in UTC, in every time zone of the machine', async () => {
  const texts = fc.sample(fc.oneof(text, others, rare), { numRuns: 20_000, seed: 1 });
  const inUtc = await readIn('UTC', texts);
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham']) {
    const found = zone === 'UTC' ? inUtc : await readIn(zone, texts);
    const wrong = texts.filter((_, index) => found[index]?.read !== inUtc[index]?.date);
    expect([zone, wrong]).toEqual([zone, []]);
  }
}, 60_000);

// `Date` reads any number as a month or a year.
const noNumber = fc.string().filter((one) => Number.isNaN(Number(one)));

test('reads any text as Date does in UTC', async () => {
  const texts = fc.sample(fc.oneof(text, misspelt, noNumber), { numRuns: 20_000, seed: 2 });
  const found = await readIn('UTC', texts);
  expect(found.map(({ read }) => read)).toEqual(found.map(({ date }) => date));
}, 30_000);

/** The results of `Date` for texts, without surrounding spaces, on a machine in UTC. */
const dates: [text: string, instant: string | null][] = [
  ['Tue, 10 Nov 2026 00:00:00 +0000', '2026-11-10T00:00:00Z'],
  ['Tue, 10 Nov 2026 09:09:09 +0000', '2026-11-10T09:09:09Z'],
  ['Tue, 10 Nov 2026 10:15:09 +0000', '2026-11-10T10:15:09Z'],
  ['Tue, 10 Nov 2026 19:39:49 +0000', '2026-11-10T19:39:49Z'],
  ['Tue, 10 Nov 2026 23:59:59 +0000', '2026-11-10T23:59:59Z'],
  ['Tue, 10 Nov 2026 24:00:00 +0000', '2026-11-11T00:00:00Z'],
  ['Tue, 10 Nov 2026 10:60:00 +0000', null],
  ['Tue, 10 Nov 2026 24:60:60 +0000', null],
  ['Tue, 10 Nov 2026 10:15:60 +0000', '2026-11-10T10:15:00Z'],
  ['Tue, 10 Nov 2026 2/:15:09 +0000', '2026-11-10T15:09:00Z'],
  ['Tue, 10 Nov 2026 1::15:09 +0000', '2026-11-10T01:00:15.009Z'],
  ['Tue, 10 Nov 2026 /9:15:09 +0000', '2026-11-10T09:15:09Z'],
  ['Tue, 10 Nov 2026 :0:15:09 +0000', '2026-11-10T00:15:09Z'],
  ['Tue, 10 Nov 2026 10:1/:09 +0000', null],
  ['Tue, 10 Nov 2026 10:15:0: +0000', '2026-11-10T10:15:00Z'],
  ['Tue, 10 Nov 2026 10-15:09 +0000', '2026-11-10T15:09:00Z'],
  ['Tue, 10 Nov 2026 10:15-09 +0000', '2026-11-10T10:15:00Z'],
  ['Tue, 10 Nov 2026  9:15:09 +0000', '2026-11-10T09:15:09Z'],
  ['Tue, 10 Nov 2026 10:15:09 +0200', '2026-11-10T08:15:09Z'],
  ['Tue, 10 Nov 2026 10:15:09 -0000', '2026-11-10T10:15:09Z'],
  ['Tue, 10 Nov 2026 10:15:09 +00000', null],
  ['Tue, 10 Nov 2026 ', '2026-11-10T00:00:00Z'],
  ['Tue, 10 Nov 2026 tomorrow', null],
  ['Tue, 10 Nov 2026 10:15:09 +0000 +0000', '2026-11-10T10:15:09Z'],
  ['Wed, 11 Nov 2026 00:00:00 +0000', '2026-11-11T00:00:00Z'],
  ['Tue, 31 Feb 2026 00:00:01 +0000', '2026-03-03T00:00:01Z'],
  ['Tue, 31 Feb 2026 12:00:01 +0000', '2026-03-03T12:00:01Z'],
  ['Tue, 10 Foo 2026 12:00:01 +0000', null],
  ['Tue, 10 Foo 2026 12:00:02 +0000', null],
  ['none', null],
  // A number is no date.
  ['0', null],
  ['5', null],
  ['-1', null],
  ['0.5', null],
  [' 12 ', null],
  ['1700000000', null],
  ['2026', '2026-01-01T00:00:00Z'],
  ['', null],
  [' 2026-11-10T10:15:09Z ', '2026-11-10T10:15:09Z'],
  ['2026-11-10T10:15:09', '2026-11-10T10:15:09Z'],
  ['2026-11-10T10:15:09 ', '2026-11-10T10:15:09Z'],
  ['2026-11-10 10:15:09', '2026-11-10T10:15:09Z'],
  ['2026-11-10T10:15:09-03:30', '2026-11-10T13:45:09Z'],
  ['Nov 10, 2026 10:15 PM', '2026-11-10T22:15:00Z'],
  ['10 Nov 2026', '2026-11-10T00:00:00Z'],
  ['Nov 10, 2026 10:15 PM -0500', '2026-11-11T03:15:00Z'],
  ['10 Nov 2026 (a (winter) day)', '2026-11-10T00:00:00Z'],
  ['10 Nov 2026 (a (winter day)', '2026-11-10T00:00:00Z'],
  ['(a (winter) day, 10 Nov 2026', null],
  [`Tue, 10 Nov 2026 10:15:09 +0000 ${'('.repeat(200)}`, null],
];

test.each(dates)('reads %j as %j, whatever it read before', (text, instant) => {
  for (const [before] of dates) {
    readDate(before);
    const read = readDate(text)?.toISOString().replace('.000Z', 'Z') ?? null;
    expect([before, read]).toEqual([before, instant]);
  }
});

const parsed: [text: string, ...parsed: string[]][] = [
  [
    'Thu, 12 Nov 2026 05:51:46 +0000',
    'Thu, 12 Nov 2026 00:00:00 +0000',
    'Thu, 12 Nov 2026 05:51:46 +0000',
  ],
  ['Thu, 12 Nov 2026 00:00:00 +0000'],
  ['Thu, 12 Nov 2026 09:59:59 +0000'],
  ['Thu, 12 Nov 2026 20:08:38 +0000'],
  ['Thu, 12 Nov 2026 23:10:09 +0000'],
  ['Thu, 12 Nov 2026 23:10:09 +0100', 'Thu, 12 Nov 2026 23:10:09 +0100'],
  ['2026-11-12T05:51:46Z', '2026-11-12T05:51:46Z'],
  ['Thu, 12 Nov 2026 05:51:47 +0000'],
  [
    'Fri, 13 Nov 2026 05:51:46 +0000',
    'Fri, 13 Nov 2026 00:00:00 +0000',
    'Fri, 13 Nov 2026 05:51:46 +0000',
  ],
  ['Fri, 13 Nov 2026 17:19:29 +0000'],
];

// `Date` is slow.
test('calls Date once for all dates of a day', () => {
  const read: unknown[] = [];
  const Original = Date;
  globalThis.Date = class extends Original {
    constructor(value: string | number) {
      super(value);
      if (typeof value === 'string') read.push(value);
    }
    static override parse(text: string) {
      read.push(text);
      return Original.parse(text);
    }
  } as DateConstructor;
  try {
    for (const [text, ...expected] of parsed) {
      readDate(text);
      expect([text, ...read.splice(0)]).toEqual([text, ...expected]);
    }
  } finally {
    globalThis.Date = Original;
  }
});
