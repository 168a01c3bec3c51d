import type { SaltcornTable } from '@saltcorn/data/models/table';
import type { RowsChoice } from '../../../plugin/saltcorn/bulk/rows-fields.ts';
import { type Action, definitions } from '../../../src/builder.ts';
import { createNative, createTable } from '../app.ts';
import { model, startTables, state } from '../host.ts';

// The settings that select the rows of a batch, and how the plugin reads them.

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

let fields: typeof import('../../../plugin/saltcorn/bulk/rows-fields.ts');

const provider = {
  fields: () => [{ name: 'said', label: 'Said', type: 'String', primary_key: true }],
  get_table: () => ({ disableFiltering: true, getRows: async () => [] }),
};

beforeAll(async () => {
  await startTables();
  fields = await import('../../../plugin/saltcorn/bulk/rows-fields.ts');
  state().registerPlugin('elsewhere', { table_providers: { Elsewhere: provider } });
  await createNative('People', {
    ...{ name: { type: 'String', required: true }, code: { type: 'String', is_unique: true } },
    ...{ said: 'String', sid: 'String', at: 'Date' },
    day: { type: 'Date', attributes: { day_only: true } },
  });
  await createTable('Strangers', 'Elsewhere');
});

const tables = () => model('table').find({}, { cached: true });
const plain = { required: false, attributes: {} };

test('the settings offer the tables, and name the values of the rows of each', async () => {
  const insert = (...names: string[]) =>
    `In the fields below, you can insert ${names.map((name) => `{{ ${name} }}`).join(', ')}.`;
  expect(fields.tableField(await tables())).toEqual({
    ...{ ...plain, name: 'rows_table', label: 'Rows of', required: true, input_type: 'select' },
    sublabel: 'The table whose rows are used.',
    options: ['', 'People', 'Strangers', 'users'],
    attributes: {
      explainers: {
        People: insert('at', 'code', 'day', 'id', 'name', 'said', 'sid'),
        Strangers: insert('said'),
        users: insert('email', 'id', 'role_id'),
      },
    },
  });
});

const named = (name: string, ...columns: string[]) => ({
  name,
  fields: columns.map((column) => ({ name: column, type: 'String' })),
});
const hostile: [why: string, given: object[], attributes: object][] = [
  ['a table', [named('<img src=x>', 'name'), named('People', 'name')], {}],
  ['an escaped table', [named('&lt;img src=x&gt;', 'name'), named('People', 'name')], {}],
  [
    'a column',
    [named('Größen & mehr', '<img src=x>', 'größe')],
    { explainers: { 'Größen & mehr': 'In the fields below, you can insert {{ größe }}.' } },
  ],
];

test.each(hostile)('shows no values where the name of %s is HTML', (_, given, attributes) => {
  expect(fields.tableField(given as SaltcornTable[]).attributes).toEqual(attributes);
});

test('offers the table of the view or the trigger first, which the builder then stores', async () => {
  expect(fields.tableField(await tables(), { name: 'People' }).options).toEqual([
    ...['People', 'Strangers', 'users'],
  ]);
});

test('the settings offer the rows of the table, their limit and the columns for the outcome', async () => {
  const notesIn = (columns: string[]) => ({
    calcOptions: [
      'rows_table]:enabled[name',
      { People: ['', ...columns], Strangers: [''], users: [''] },
    ],
  });
  expect(fields.rowsFields(action, await tables())).toEqual([
    {
      ...{ ...plain, name: 'rows_of_page', label: 'Only rows on the page' },
      sublabel:
        "The rows of the page's list of this table, on all pages of the list. Without a list, the rows that match the filters in the page's URL. Without either, nothing is sent.",
      ...{ type: 'Bool', default: true },
    },
    {
      ...{ ...plain, name: 'rows_where', label: 'Only where', type: 'String' },
      validator: expect.any(Function),
      sublabel:
        'A formula as in a list, such as status === "busy", or { status: "busy" }. Leave empty for all rows.',
    },
    {
      ...{ name: 'rows_limit', label: 'Maximum rows', type: 'Integer', default: 100 },
      sublabel: 'If more rows match, nothing is sent. Up to 100,000.',
      ...{ attributes: { min: 1, max: 100_000 }, required: true },
    },
    {
      ...{ ...plain, name: 'rows_outcome', label: 'Outcome column', type: 'String' },
      sublabel:
        "Stores each row's outcome (sent, failed, unknown). Rows marked sent are skipped next time. Optional: for this and the two columns below, first add two String fields and a Date field to the table, neither required nor unique.",
      attributes: notesIn(['said', 'sid']),
    },
    {
      ...{ ...plain, name: 'rows_sid', label: 'SID column', type: 'String' },
      ...{
        sublabel: 'Stores the SID of the message, call or recording.',
        attributes: notesIn(['said', 'sid']),
      },
    },
    {
      ...{ ...plain, name: 'rows_time', label: 'Time column', type: 'String' },
      ...{
        sublabel: 'Stores when the row was started.',
        attributes: notesIn(['at']),
      },
    },
  ]);
});

const notes = { rows_outcome: 'said', rows_sid: 'sid', rows_time: 'at' };
const noted = { outcome: 'said', sid: 'sid', time: 'at' };
const usual = { table: 'People', isOfPage: true, formula: '', limit: 100, notes: undefined };

const choices: [why: string, chosen: object, choice: Partial<RowsChoice>][] = [
  ['only a table', {}, {}],
  ['the rows of the page', { rows_of_page: true }, {}],
  ['all rows, on the page or not', { rows_of_page: false }, { isOfPage: false }],
  ['an unset page setting', { rows_of_page: undefined }, {}],
  ['a missing table', { rows_table: undefined }, { table: '' }],
  ['a formula', { rows_where: ' a === 1\n' }, { formula: 'a === 1' }],
  ['an empty formula', { rows_where: null }, {}],
  ['the lowest limit', { rows_limit: 1 }, { limit: 1 }],
  ['the highest limit, as text from a form', { rows_limit: '100000' }, { limit: 100_000 }],
  ['an empty limit', { rows_limit: '' }, {}],
  ['a missing limit', { rows_limit: null }, {}],
  ['columns for the outcome', notes, { notes: noted }],
  ['empty outcome columns', { rows_outcome: '', rows_sid: null }, {}],
  [
    'columns for the outcome, next to a column that is sent',
    { ...notes, body: 'Hello {{ name }}, said' },
    { notes: noted },
  ],
];

test.each(choices)('reads %s', (_, chosen, choice) => {
  expect(fields.rowsChoice({ rows_table: 'People', ...chosen })).toStrictEqual({
    ...usual,
    ...choice,
  });
});

const few = '“Maximum rows” must be a whole number from 1 to 100,000.';
const refusals: [chosen: object, message: string][] = [
  [{ rows_limit: 0 }, few],
  [{ rows_limit: 100_001 }, few],
  [{ rows_limit: 1.5 }, few],
  [{ rows_limit: 'many' }, few],
  [{ rows_where: false }, '“Only where” is not a formula.'],
  [{ rows_where: { name: 'Ada' } }, '“Only where” is not a formula.'],
  [{ rows_sid: 'sid' }, '“Outcome column” is empty. Choose all three columns, or none.'],
  [
    { ...notes, rows_time: undefined },
    '“Time column” is empty. Choose all three columns, or none.',
  ],
  [
    { ...notes, body: 'Hello {{ name + said }}' },
    '“Outcome column” is “said”, which the message uses. Choose another column.',
  ],
  [
    { ...notes, to: '{{ sid }}' },
    '“SID column” is “sid”, which the message uses. Choose another column.',
  ],
];

test.each(refusals)('rejects %j', (chosen, message) => {
  expect(() => fields.rowsChoice({ rows_table: 'People', ...chosen })).toThrow(
    expect.objectContaining({ name: 'TelephonyError', code: 'input', message }),
  );
});
