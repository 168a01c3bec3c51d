import * as fc from 'fast-check';
import { createTable } from '../../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
} from '../../host.ts';
import { createOwnTables, createTwin } from './native-twin.ts';
import { filter, recordingFilter, serviceFilter } from './random-filters.ts';
import { randomCalls, randomRecordings } from './random-records.ts';

/**
 * Each query runs on a table of the service and on a table of Saltcorn's database with the same rows.
 *
 * These differ on purpose, so the queries avoid them:
 * - rows without a value are last in any order; SQLite sorts them first, PostgreSQL first or last;
 * - a search finds only complete SIDs, and nothing in columns for programs;
 * - a phone number matches in any spelling, and finds each of two customers who share it;
 * - text cannot be compared with numbers by size; SQLite sorts every text after every number;
 * - lists of values contain no empty ones, which Saltcorn's Filter view cannot show.
 */
const seed = 20261120;
const runs = (numRuns: number) => ({ seed, numRuns, endOnFailure: false });

let host: Host;
let calls: Loose;
let twin: Loose;
let recordings: Loose;
let recordingTwin: Loose;
beforeAll(async () => {
  host = await startSaltcorn();
  await installPlugin(artefact, { ...host.settings, freshSeconds: 300 });
  const { sandbox } = host;
  const account = {
    sid: sandbox.username,
    root: `/2010-04-01/Accounts/${sandbox.username}`,
    origin: sandbox.url,
  };
  const records = randomCalls(account, 80, seed);
  sandbox.calls.splice(0, Number.POSITIVE_INFINITY, ...records);
  sandbox.recordings.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...randomRecordings(account, records, 60, seed),
  );
  await createOwnTables(records.map(({ sid }) => sid));
  calls = await createTable('Calls', 'Telephony: Calls by caller id', {
    key_from: 'Customers.phone',
  });
  twin = await createTwin('Twin', calls);
  recordings = await createTable('Recordings', 'Telephony: Recordings by caller id', {
    key_callSid: 'Calls',
  });
  const ids = new Map((await twin.getRows({})).map(({ sid, id }: Loose) => [sid, id]));
  recordingTwin = await createTwin('RecordingTwin', recordings, {
    callRow: ['Key to Twin', ({ callSid }) => ids.get(callSid) ?? null],
  });
});

const sids = (rows: Loose[]) => rows.map(({ sid }) => sid).sort();

// Saltcorn modifies filters, so each table gets a copy.
function copy(where: Loose): Loose {
  if (where instanceof Date) return where;
  if (Array.isArray(where)) return where.map(copy);
  if (typeof where !== 'object' || where === null) return where;
  return Object.fromEntries(Object.entries(where).map(([name, one]) => [name, copy(one)]));
}

const ask = (where: Loose, selection: Loose = {}) =>
  Promise.all([
    calls.getJoinedRows({ where: copy(where), ...selection }),
    twin.getJoinedRows({ where: copy(where), ...selection }),
  ]);

test('filters and counts like a native table', async () => {
  const property = fc.asyncProperty(filter, async (where) => {
    const expected = sids(await twin.getRows(copy(where)));
    expect(sids(await calls.getRows(copy(where)))).toEqual(expected);
    expect(await calls.countRows(copy(where))).toBe(expected.length);
  });
  await fc.assert(property, runs(2500));
});

test('filters by what the service supports like a native table', async () => {
  const property = fc.asyncProperty(serviceFilter, async (where) => {
    const expected = sids(await twin.getRows(copy(where)));
    expect(sids(await calls.getRows(copy(where)))).toEqual(expected);
    expect(await calls.countRows(copy(where))).toBe(expected.length);
  });
  await fc.assert(property, runs(1000));
});

test('compares two columns by size like SQL, which Saltcorn itself cannot do', async () => {
  const texts = fc.constantFrom('from', 'to', 'callerName', 'forwardedFrom', 'status', 'direction');
  const ordered = fc.constantFrom('duration', 'queueTime', 'price');
  const dates = fc.constantFrom('startTime', 'endTime', 'dateCreated');
  const pairs = fc.oneof(
    fc.tuple(texts, texts),
    fc.tuple(ordered, ordered),
    fc.tuple(dates, dates),
  );
  const sign = fc.constantFrom('<', '<=', '>', '>=');
  const property = fc.asyncProperty(
    ...[pairs, sign, fc.boolean(), filter],
    async ([left, right], operator, isNegated, where) => {
      const bound = {
        [operator[0] === '<' ? 'lt' : 'gt']: Symbol(right),
        ...(operator.length > 1 && { equal: true }),
      };
      const compared = isNegated ? { not: { [left]: bound } } : { [left]: bound };
      const sql = `select sid from "Twin" where ${isNegated ? 'not' : ''} ("${left}" ${operator} "${right}")`;
      const fitting = new Set(sids((await saltcorn('data/db').query(sql)).rows));
      const expected = (await twin.getRows(copy(where))).filter(({ sid }: Loose) =>
        fitting.has(sid),
      );
      const rows = await calls.getRows({ and: [compared, { and: [{}, copy(where)].slice(1) }] });
      expect(sids(rows)).toEqual(sids(expected));
    },
  );
  await fc.assert(property, runs(500));
});

const searched = ['status', 'direction', 'from', 'to', 'callerName', 'answeredBy', 'forwardedFrom'];
const further = ['priceUnit', 'fromFormatted', 'toFormatted'];

test('searches like a native table', async () => {
  const term = fc.constantFrom(
    'ad',
    'LOVE',
    'busy',
    '+1202',
    '555',
    'bound',
    'usd',
    '(202) 555',
    'human',
    'x',
    '',
    'a%e',
  );
  const fields = twin.fields.filter(({ name }: Loose) => [...searched, ...further].includes(name));
  const property = fc.asyncProperty(
    term,
    filter,
    fc.boolean(),
    async (searchTerm, where, isNegated) => {
      const search = (all: Loose[]) => {
        const _fts = { searchTerm, fields: all };
        return isNegated ? { not: { _fts } } : { _fts };
      };
      const expected = await twin.getRows({ ...copy({ and: [where] }), ...search(fields) });
      const rows = await calls.getRows({ ...copy({ and: [where] }), ...search(calls.fields) });
      expect(sids(rows)).toEqual(sids(expected));
    },
  );
  await fc.assert(property, runs(300));
});

const joinFields = {
  name: { ref: 'fromRow', target: 'name' },
  team: { ref: 'fromRow', through: 'team', target: 'label' },
};
const ofNotes = (aggregate: string, field: string, rest: object = {}) => ({
  ...{ table: 'Notes', ref: 'call', through: 'sid' },
  ...{ field, aggregate, ...rest },
});
const aggregations = {
  notes: ofNotes('Count', 'id'),
  unrated: ofNotes('Count', 'id', { where: { stars: null } }),
  stars: ofNotes('Sum', 'stars'),
  average: ofNotes('Avg', 'stars'),
  best: ofNotes('Max', 'stars'),
  worst: ofNotes('Min', 'stars'),
  kinds: ofNotes('CountUnique', 'text'),
  last: ofNotes('Latest stars', 'text'),
  first: ofNotes('Earliest stars', 'text'),
};
const joinedColumns = [...Object.keys(joinFields), ...Object.keys(aggregations)];
const joinedPart = (rows: Loose[]) =>
  rows
    .map((row) =>
      Object.fromEntries(['sid', 'fromRow', ...joinedColumns].map((key) => [key, row[key]])),
    )
    .sort((one, other) => (one.sid < other.sid ? -1 : 1));

test('joins and aggregates native tables like a native table', async () => {
  const property = fc.asyncProperty(filter, async (where) => {
    const [rows, expected] = await ask(where, { joinFields, aggregations });
    expect(joinedPart(rows)).toEqual(joinedPart(expected));
  });
  await fc.assert(property, runs(200));
});

const ofCall = (ref: string) => ({
  state: { ref, target: 'status' },
  caller: { ref, target: 'from' },
  customer: { ref, through: 'fromRow', target: 'name' },
});
const recordingPart = (rows: Loose[]) =>
  rows
    .map(({ sid, duration, state, caller, customer }) => [sid, duration, state, caller, customer])
    .sort();

test('joins, filters and sorts recordings by their calls like a native table', async () => {
  const order = fc.constantFrom('dateCreated', 'duration', 'state', 'caller', 'customer');
  const property = fc.asyncProperty(
    ...[recordingFilter, order, fc.boolean()],
    async ([where, whereOfTwin], orderBy, orderDesc) => {
      const sorted = { orderBy, orderDesc };
      const rows = await recordings.getJoinedRows({
        ...{ where: copy(where), joinFields: ofCall('callSid') },
        ...sorted,
      });
      const expected = await recordingTwin.getJoinedRows({
        ...{ where: copy(whereOfTwin), joinFields: ofCall('callRow') },
        ...sorted,
      });
      expect(recordingPart(rows)).toEqual(recordingPart(expected));
      expect(inOrder(rows, orderBy)).toEqual(inOrder(expected, orderBy));
      expect(await recordings.countRows(copy(where))).toBe(expected.length);
    },
  );
  await fc.assert(property, runs(500));
});

// SQLite sorts rows without a value elsewhere, and rows with equal values in any order.
const inOrder = (rows: Loose[], column: string) => {
  const values = rows.map((row) =>
    row[column] instanceof Date ? row[column].getTime() : row[column],
  );
  return [...values.filter((value) => value !== null), ...values.filter((value) => value === null)];
};
const sortable = [
  ...['status', 'from', 'duration', 'price', 'startTime', 'dateCreated', 'callerName', 'fromRow'],
  ...['name', 'team', 'notes', 'stars', 'average'],
];

test('sorts and pages like a native table', async () => {
  const page = fc.record({
    orderBy: fc.constantFrom(...sortable),
    orderDesc: fc.boolean(),
    limit: fc.integer({ min: 1, max: 30 }),
    offset: fc.integer({ min: 0, max: 60 }),
  });
  const property = fc.asyncProperty(filter, page, async (where, { limit, offset, ...order }) => {
    const every = { joinFields, aggregations, ...order };
    const [rows, native] = await ask(where, every);
    const expected = inOrder(native, order.orderBy);
    expect(inOrder(rows, order.orderBy)).toEqual(expected);
    const shown = await calls.getJoinedRows({ where: copy(where), ...every, limit, offset });
    expect(shown).toEqual(rows.slice(offset, offset + limit));
  });
  await fc.assert(property, runs(300));
});

const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toFixed(6)) : value);
const figuresOf = (found: Loose) =>
  [found ?? { val: null }]
    .flat()
    .map(({ val, ...group }: Loose) => ({ ...group, val: rounded(val) }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

async function compareFigures(val: Loose, where: Loose, groupBy: Loose) {
  const group = groupBy && { groupBy };
  const found = await calls.aggregationQuery({ val }, { where: copy(where), ...group });
  const expected = await twin.aggregationQuery({ val }, { where: copy(where), ...group });
  expect(figuresOf(found)).toEqual(figuresOf(expected));
}

test('aggregates rows and groups like a native table', async () => {
  const ofColumns = (aggregates: string[], fields: string[]) =>
    fc.record({ aggregate: fc.constantFrom(...aggregates), field: fc.constantFrom(...fields) });
  const figure = fc.oneof(
    ofColumns(['Count', 'CountUnique', 'Sum', 'Avg', 'Max', 'Min'], ['duration', 'price']),
    ofColumns(['Count', 'CountUnique', 'Max', 'Min'], ['status', 'callerName', 'sid']),
  );
  const groupBy = fc.constantFrom(undefined, 'status', ['status', 'direction'], 'callerName');
  const property = fc.asyncProperty(filter, figure, groupBy, (where, val, group) =>
    compareFigures(val, where, group),
  );
  await fc.assert(property, runs(500));
});

test.each([[['status']], [['duration']], [['direction', 'status']]])(
  'charts have the series of a native table, by %j',
  async (groupBy) => {
    const figures = {
      __count: { aggregate: 'count' },
      price: { field: 'price', aggregate: 'sum' },
      longest: { field: 'duration', aggregate: 'max' },
    };
    // Charts leave out rows without a value.
    const series = async (table: Loose) => {
      const groups: Loose[] = await table.aggregationQuery(figures, { where: {}, groupBy });
      return groups
        .filter((group) => groupBy.every((column) => group[column] !== null))
        .map(({ price, ...group }) => ({ ...group, price: rounded(price) }));
    };
    expect(await series(calls)).toEqual(await series(twin));
  },
);

// Without a filter, because Saltcorn itself mixes up its values here.
test('finds the latest and the earliest value like a native table', async () => {
  for (const aggregate of ['Latest dateCreated', 'Earliest dateCreated'])
    for (const field of ['status', 'duration'])
      for (const where of [{}, { duration: null }, { not: { price: null } }, { sid: null }])
        for (const groupBy of [undefined, 'status'])
          await compareFigures({ aggregate, field }, where, groupBy);
});
