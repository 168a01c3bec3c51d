import { plan } from '../../../plugin/nocobase/server/bulk/plan.ts';
import type { Row } from '../../../plugin/nocobase/server/bulk/selected-rows.ts';
import { definitions, type RowItem } from '../../../src/builder.ts';
import { inEnglishRow } from '../../support/in-english.ts';

// The preview of a batch over rows of any NocoBase table.

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const columns = [
  { name: 'code', type: 'string', options: {} },
  { name: 'age', type: 'integer', options: {} },
  { name: 'name', type: 'string', options: {} },
  { name: 'phone', type: 'string', options: {} },
  { name: 'wife', type: 'string', options: {} },
];

const titles: Record<string, string> = {
  ...Object.fromEntries(columns.map(({ name }) => [name, name])),
  ...{ phone: 'Mobile', wife: 'Her number', 'friend.phone': 'Friend / Phone' },
};

const selectedOf = (rows: Row[], { isOfService = false, titleField = '' } = {}) => ({
  ...{ rows, isOfService },
  titleOf: (name: string) => titles[name],
  collection: {
    name: 'people',
    options: { titleField },
    filterTargetKey: 'code',
    model: { primaryKeyAttribute: 'code' },
    getFields: () => columns,
    getField: (name: string) => columns.find((column) => column.name === name),
  },
});

const account = { settings: {}, defaultSender: '+14155550100' };
const toPhone = { to: [{ column: 'phone' }], body: ['Dear ', { column: 'name' }, '!'] };

type PlanArguments = Parameters<typeof plan>;

/** @param input from the browser, not validated */
async function planned(
  rows: Row[],
  input: unknown,
  options: Parameters<typeof selectedOf>[1] = {},
) {
  const request = { input, reader: { locale: 'en-US', timeZone: 'UTC' } };
  const given = [send, account, selectedOf(rows, options), request] as unknown as PlanArguments;
  const items = await plan(...given);
  return items.map(({ row, recipient, ...item }) => inEnglishRow(item));
}

const ada = { code: 'A1', age: 36, name: 'Ada', phone: '+1 (202) 555-0101', wife: '' };
const grace = { code: 'A2', age: 85, name: 'Grace', phone: '+12025550102', wife: null };
const values = { from: '+14155550100', to: '+12025550101', body: 'Dear Ada!' };
const waiting = { who: 'Ada (+12025550101)', to: values.to, outcome: 'waiting', values };
const missing = (column: string, who = 'Ada') => ({
  ...{ who, outcome: 'failed' },
  message: `"To" is missing: the row has no “${column}”.`,
});

const cases: [name: string, row: Row, input: object, item: object][] = [
  ['all values', ada, toPhone, waiting],
  [
    'its own sender',
    ada,
    { ...toPhone, from: ['+14155550199'] },
    {
      ...waiting,
      values: { ...values, from: '+14155550199' },
    },
  ],
  ['an empty sender', ada, { ...toPhone, from: [''] }, waiting],
  ['a value for no field', ada, { ...toPhone, more: [{ column: 'phone' }] }, waiting],
  ['no number', { ...ada, phone: null }, toPhone, missing('Mobile')],
  ['a blank number', { ...ada, phone: ' ' }, toPhone, missing('Mobile')],
  [
    'no number in a column with a title',
    ada,
    { ...toPhone, to: [{ column: 'wife' }] },
    missing('Her number'),
  ],
  [
    'a column of a related record',
    { ...ada, phone: null, 'friend.phone': '+12025550101' },
    { ...toPhone, to: [{ column: 'friend.phone' }] },
    waiting,
  ],
  [
    'no number in a column of a related record',
    ada,
    { ...toPhone, to: [{ column: 'friend.phone' }] },
    missing('Friend / Phone'),
  ],
  [
    'no number in a column without a title',
    { ...ada, age: null },
    { ...toPhone, to: [{ column: 'age' }] },
    missing('age'),
  ],
];

test.each(cases)('the plan shows a row with %s', async (_, row, input, item) => {
  expect(await planned([row], input)).toStrictEqual([item]);
});

test.each<[string, unknown, string]>([
  ['a date', new Date(0), 'Jan 1, 1970, 12:00 AM UTC'],
  ['a number', 7, '7'],
  ['a list', ['x', 1], '["x",1]'],
])('the plan fills in %s as text', async (_, age, body) => {
  const input = { ...toPhone, body: [{ column: 'age' }] };
  expect(await planned([{ ...ada, age }], input)).toStrictEqual([
    { ...waiting, values: { ...values, body } },
  ]);
});

const names: [what: string, row: Row, options: Parameters<typeof selectedOf>[1], who: string][] = [
  ['its first text that is not the key', ada, {}, 'Ada (+12025550101)'],
  ['its title column', ada, { titleField: 'code' }, 'A1 (+12025550101)'],
  [
    'its first text if its title column is not a text',
    ada,
    { titleField: 'age' },
    'Ada (+12025550101)',
  ],
  ['its number if it is a record of the service', ada, { isOfService: true }, '+12025550101'],
  ['its number if it has no name', { ...ada, name: null }, {}, '+1 (202) 555-0101 (+12025550101)'],
];
const unnamed = { code: 'A3', age: 7, name: null, phone: null };
test.each<[what: string, row: Row, input: object, item: Partial<RowItem>]>([
  ['whose number is missing', unnamed, toPhone, { who: '#A3', outcome: 'failed' }],
  [
    'that all get at one number',
    unnamed,
    { to: ['+12025550101'], body: ['Hello'] },
    { who: '#A3', outcome: 'waiting' },
  ],
  [
    'whose name has several lines and 10,000 characters',
    { ...ada, name: `Ada\nSkipping 9 rows: ${'x'.repeat(10_000)}` },
    { ...toPhone, body: ['Hello'] },
    { who: `Ada Skipping 9 rows: ${'x'.repeat(58)}… (+12025550101)`, outcome: 'waiting' },
  ],
])('the plan names a row %s in one line that no other has', async (_, row, input, item) => {
  expect(await planned([row], input)).toMatchObject([item]);
});

test.each(names)('the plan names a row by %s', async (_, row, options, who) => {
  const [item] = await planned([row], { ...toPhone, body: ['Hello'] }, options);
  expect(item).toMatchObject({ who, outcome: 'waiting' } satisfies Partial<RowItem>);
});

test('the plan shows a recipient next to a row only if it comes from the row', async () => {
  expect(await planned([ada], { to: ['+12025550101'], body: ['Hello'] })).toMatchObject([
    { who: 'Ada', outcome: 'waiting' },
  ]);
});

test('the plan shows a recipient that combines fixed text with a column', async () => {
  const to = ['+1202', { column: 'age' }];
  expect(await planned([{ ...ada, age: 5550101 }], { ...toPhone, to })).toStrictEqual([waiting]);
});

test('the plan marks duplicate rows', async () => {
  const again = { ...ada, code: 'A3', phone: '+12025550101' };
  expect(await planned([ada, grace, again], toPhone)).toMatchObject([
    { who: 'Ada (+12025550101)', outcome: 'waiting' },
    { who: 'Grace (+12025550102)', outcome: 'waiting' },
    { who: 'Ada (+12025550101)', outcome: 'duplicate' },
  ]);
});

test('the plan names all columns that a row lacks', async () => {
  const parts = { ...toPhone, body: [{ column: 'name' }] };
  expect(await planned([{ ...ada, name: '', phone: null }], parts)).toMatchObject([
    {
      message:
        '"To" is missing: the row has no “Mobile”. "Body" is missing: the row has no “name”.',
    },
  ]);
});

const invalidValue = 'The template of “To” is invalid. Nothing was done.';
test.each<[string, unknown, string]>([
  ['a text', '+12025550101', invalidValue],
  ['a number', [7], invalidValue],
  ['null', [null], invalidValue],
  ['a column without a name', ['+1', { column: 7 }], invalidValue],
  [
    'an unknown column',
    [{ column: 'born' }],
    '“To” uses the column “born”, which the rows do not have. Nothing was done.',
  ],
])('the plan refuses a value that is %s', async (_, to, message) => {
  await expect(planned([ada], { ...toPhone, to })).rejects.toThrow(
    expect.objectContaining({ code: 'input', message }),
  );
});

test('the plan refuses texts that take long to fill in for each row', async () => {
  const [all] = [Array(1_200).fill({ column: 'name' })];
  const message = 'The texts of the fields are too long. Nothing was done.';
  for (const body of [all, ['x'.repeat(20_000)]])
    await expect(planned([ada], { ...toPhone, body })).rejects.toThrow(
      expect.objectContaining({ code: 'input', message }),
    );
});

test('the plan fails a row whose columns are too long', async () => {
  const name = 'x'.repeat(10_000);
  const body = [{ column: 'name' }, { column: 'name' }, { column: 'code' }];
  expect(await planned([{ ...ada, name }], { ...toPhone, body })).toMatchObject([
    { outcome: 'failed', message: '"Body" is too long.' },
  ]);
});

test('the plan fails every row without an input', async () => {
  expect(await planned([ada], undefined)).toMatchObject([{ who: 'Ada', outcome: 'failed' }]);
});

test('the plan identifies rows by their collection and key', async () => {
  const selected = selectedOf([ada, { ...grace, code: undefined }]);
  const collection = { ...selected.collection, name: 'people', filterTargetKey: 'code' };
  const given = [send, account, { ...selected, collection }, { input: toPhone }];
  const items = await plan(...(given as unknown as PlanArguments));
  expect(items.map(({ row }) => row)).toEqual(['["people","A1"]', '["people",null]']);
});
