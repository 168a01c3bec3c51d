import type { RowNote } from '../../../src/builder.ts';
import { createNative } from '../app.ts';
import { type Loose, saltcorn, startTables } from '../host.ts';

// The outcomes recorded in rows of a Saltcorn table. `bulk-notes.test.ts` tests how batches use them.

let notes: typeof import('../../../plugin/saltcorn/bulk/row-notes.ts');
let people: Loose;

const columns = { outcome: 'sms', sid: 'sms_sid', time: 'sms_at' };
const at = new Date('2026-11-20T12:00:00Z');

beforeAll(async () => {
  await startTables();
  notes = await import('../../../plugin/saltcorn/bulk/row-notes.ts');
  const types = { name: 'String', sms: 'String', sms_sid: 'String', sms_at: 'Date' };
  people = await createNative('Our people', types);
});
beforeEach(() => people.deleteRows({}));
afterEach(() => jest.restoreAllMocks());

const ada = { name: 'Ada', sms: null, sms_sid: null, sms_at: null };
const grace = { ...ada, name: 'Grace' };

/** Two rows, the notes of the first one, and the current values of both. */
async function inserted(row: object = {}) {
  const id = await people.insertRow({ ...ada, ...row });
  await people.insertRow(grace);
  return {
    id,
    own: notes.notesIn(people, columns)(id),
    async rows() {
      const rows: Loose[] = await people.getRows({}, { orderBy: 'name' });
      return rows.map(({ id: _, ...rest }) => rest);
    },
  };
}

const inProgress: RowNote = { outcome: 'in progress', time: at };
const done: RowNote = { outcome: 'done', time: at, sid: 'SM1' };

test('records each outcome in its own row only', async () => {
  const { own, rows } = await inserted();
  expect(await own.read()).toBeUndefined();
  expect(await own.replace(undefined, inProgress)).toBe(true);
  expect(await own.read()).toStrictEqual({ ...inProgress, sid: undefined });
  expect(await rows()).toStrictEqual([{ ...ada, sms: 'in progress', sms_at: at }, grace]);
  expect(await own.replace(inProgress, done)).toBe(true);
  expect(await own.read()).toStrictEqual(done);
  expect(await rows()).toStrictEqual([{ ...ada, sms: 'done', sms_sid: 'SM1', sms_at: at }, grace]);
  // A failed row has neither.
  expect(await own.replace(done, { outcome: 'failed' })).toBe(true);
  expect(await rows()).toStrictEqual([{ ...ada, sms: 'failed' }, grace]);
});

test('treats an empty text as no outcome', async () => {
  const { own, rows } = await inserted({ sms: '' });
  expect(await own.read()).toBeUndefined();
  expect(await own.replace(undefined, inProgress)).toBe(true);
  expect(await rows()).toStrictEqual([{ ...ada, sms: 'in progress', sms_at: at }, grace]);
});

const old: [said: string | null, old: RowNote | undefined][] = [
  ['done', undefined],
  ['in progress', undefined],
  [null, inProgress],
  ['done', inProgress],
  ['in progress', { outcome: 'failed' }],
];
test.each(old)('does not overwrite %j if it expects %j', async (sms, before) => {
  const { own, rows } = await inserted({ sms });
  const query = jest.spyOn(saltcorn('data/db'), 'query');
  expect(await own.replace(before, done)).toBe(false);
  expect(await rows()).toStrictEqual([{ ...ada, sms }, grace]);
  // Does not wait for a lock.
  const updates = query.mock.calls.filter(([sql]) => /^update/.test(String(sql)));
  expect(updates).toHaveLength(1);
});

test('writes only one of two simultaneous outcomes', async () => {
  const { own } = await inserted();
  const both = [own.replace(undefined, inProgress), own.replace(undefined, done)];
  expect((await Promise.all(both)).toSorted()).toEqual([false, true]);
});

/** Makes the next changes of rows find them locked. */
function holdRows(times: number) {
  const database = saltcorn('data/db');
  const { query } = database;
  let held = 0;
  jest.spyOn(database, 'query').mockImplementation(async (...all) => {
    if (!/^update/.test(String(all[0])) || held === times) return query(...all);
    held += 1;
    return { rows: [] };
  });
}

test('records the outcome of a started row once the row is no longer locked', async () => {
  const { own, rows } = await inserted({ sms: 'in progress' });
  holdRows(1);
  expect(await own.replace(inProgress, done)).toBe(true);
  expect(await rows()).toStrictEqual([{ ...ada, sms: 'done', sms_sid: 'SM1', sms_at: at }, grace]);
});

test('records a status once the row is no longer locked', async () => {
  const { own, rows } = await inserted({ sms: 'done', sms_sid: 'SM2' });
  holdRows(1);
  const delivered = { ...done, outcome: 'delivered', sid: 'SM2' };
  expect(await own.replace({ ...done, sid: 'SM2' }, delivered)).toBe(true);
  const row = { ...ada, sms: 'delivered', sms_sid: 'SM2', sms_at: at };
  expect(await rows()).toStrictEqual([row, grace]);
});

test('records a status that arrived before the SID', async () => {
  const { own, rows } = await inserted({ sms: 'in progress' });
  await notes.sentRows.find('SM3', 'delivered');
  expect(await own.replace(inProgress, { ...done, sid: 'SM3' })).toBe(true);
  const row = { ...ada, sms: 'delivered', sms_sid: 'SM3', sms_at: at };
  expect(await rows()).toStrictEqual([row, grace]);
});

test('does not start a locked row', async () => {
  const { own, rows } = await inserted();
  holdRows(1);
  expect(await own.replace(undefined, inProgress)).toBe(false);
  expect(await rows()).toStrictEqual([ada, grace]);
});

test('neither reads nor writes the outcome of a deleted row', async () => {
  const { own, id, rows } = await inserted();
  await people.deleteRows({ id });
  const message = 'A row of “Our people” was deleted. Nothing was done.';
  await expect(own.read()).rejects.toMatchObject({ code: 'input', message });
  expect(await own.replace(undefined, done)).toBe(false);
  expect(await own.replace(inProgress, done)).toBe(false);
  expect(await rows()).toStrictEqual([grace]);
});

const noteWith = (outcome: string, rest: object = {}) => ({
  ...{ outcome, time: undefined, sid: undefined },
  ...rest,
});
test.each<[row: Record<string, unknown>, note: object | undefined]>([
  [{}, undefined],
  [{ sms: null, sms_sid: 'SM1', sms_at: at }, undefined],
  [{ sms: '' }, undefined],
  [{ sms: 'done', sms_sid: 'SM1', sms_at: at }, done],
  [{ sms: 'done', sms_sid: 'SM1', sms_at: at.getTime() }, done],
  [{ sms: 'done', sms_sid: 'SM1', sms_at: at.toISOString() }, done],
  [{ sms: 'done', sms_sid: null, sms_at: null }, noteWith('done')],
  [{ sms: 'done', sms_sid: 7 }, noteWith('done')],
  [{ sms: 0 }, noteWith('0')],
  [{ sms: 'unknown', sms_at: 0 }, noteWith('unknown', { time: new Date(0) })],
])('reads %j as %j', (row, note) => {
  expect(notes.noteOf(row, columns)).toStrictEqual(note);
});

const column = (name: string, type: string | object, rest: object = {}) => ({
  ...{ name, label: name, type },
  ...rest,
});
const text = { name: 'String' };
const date = { name: 'Date' };
const table: Loose = {
  name: 'People',
  fields: [
    column('key', text, { primary_key: true }),
    column('own', text, { is_unique: true }),
    column('must', text, { required: true }),
    column('sum', text, { calculated: true }),
    column('sms', text),
    column('sms_sid', text, { attributes: {} }),
    column('friend', 'Key to People'),
    column('file', 'String'),
    column('born', date, { attributes: { day_only: true } }),
    column('sms_at', date, { attributes: { day_only: false } }),
    column('seen_at', date),
  ],
};

test('only columns that are neither required nor unique can hold outcomes', () => {
  const names = ['String', 'Date', 'Integer'].map((type) => notes.columnsFor(table, type));
  expect(names).toEqual([['sms', 'sms_sid'], ['sms_at', 'seen_at'], []]);
  const others = { ...table, provider_name: 'Elsewhere' };
  expect(notes.columnsFor(others, 'String')).toEqual([]);
});

test('there are three outcome columns', () => {
  expect(notes.noteFields).toEqual([
    { key: 'outcome', label: 'Outcome column', type: 'String' },
    { key: 'sid', label: 'SID column', type: 'String' },
    { key: 'time', label: 'Time column', type: 'Date' },
  ]);
  expect(() => notes.assertNoteColumns(table, columns)).not.toThrow();
});

const needs = (label: string, type: string) =>
  `“${label}” needs a column of “People” of the type ${type} that is neither required nor unique. Nothing was done.`;
test.each<[wrong: object, message: string]>([
  [{ outcome: 'must' }, needs('Outcome column', 'String')],
  [{ sid: 'nowhere' }, needs('SID column', 'String')],
  [{ time: 'born' }, needs('Time column', 'Date')],
  [{ sid: 'sms' }, '“Outcome column” and “SID column” need a column each. Nothing was done.'],
])('refuses the outcome columns %j', (wrong, message) => {
  expect(() => notes.assertNoteColumns(table, { ...columns, ...wrong })).toThrow(
    expect.objectContaining({ code: 'input', message }),
  );
});
