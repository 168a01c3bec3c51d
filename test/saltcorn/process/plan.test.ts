import type { Row } from '../../../plugin/saltcorn/where/where.ts';
import { definitions, type RowItem } from '../../../src/builder.ts';
import { inEnglishRow } from '../../support/in-english.ts';
import { saltcorn, startTables, state } from '../host.ts';

// The preview of a batch over rows of any Saltcorn table.

let plan: typeof import('../../../plugin/saltcorn/bulk/plan.ts').plan;
type PlanArguments = Parameters<typeof plan>;

beforeAll(async () => {
  await startTables();
  ({ plan } = await import('../../../plugin/saltcorn/bulk/plan.ts'));
});

afterEach(() => jest.restoreAllMocks());

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const fields = [
  { name: 'code', label: 'Code', type: { name: 'String' } },
  { name: 'boss', label: 'Boss', type: 'Key to Bosses', reftable_name: 'Bosses' },
  { name: 'age', label: 'Age', type: { name: 'Integer' } },
  { name: 'name', label: 'Name', type: { name: 'String' } },
  { name: 'phone', label: 'Phone', type: { name: 'String' } },
];
const people: object = { id: 1, name: 'People', pk_name: 'code', fields, getRows: async () => [] };

const account = { defaultSender: '+14155550100' };
const toPhone = { to: '{{ phone }}', body: 'Dear {{ name }}!' };
const columns = { outcome: 'sms', sid: 'sms_sid', time: 'sms_at' };

async function planned(rows: Row[], run: object, table: object = {}, notes?: PlanArguments[5]) {
  // All that it uses of a table. Another test covers the names of rows.
  const all = { ...people, ...table } as PlanArguments[2];
  const items = await plan(send, account, all, rows, run, notes);
  return items.map(({ row: _, recipient: __, ...item }) => inEnglishRow(item));
}

const ada = { code: 'A1', boss: 'B1', age: 36, name: 'Ada', phone: '+1 (202) 555-0101' };
const grace = { code: 'A2', boss: 'B1', age: 85, name: 'Grace', phone: '+12025550102' };
const values = { from: '+14155550100', to: '+12025550101', body: 'Dear Ada!' };
const waiting = { who: 'Ada (+12025550101)', to: values.to, outcome: 'waiting', values };
const noNumber = {
  ...{ who: 'Ada', outcome: 'failed' },
  message:
    '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
};

const cases: [name: string, row: Row, configuration: Row | undefined, item: object][] = [
  ['all values', ada, toPhone, waiting],
  [
    'its own sender',
    ada,
    { ...toPhone, from: '+14155550199' },
    { ...waiting, values: { ...values, from: '+14155550199' } },
  ],
  ['no number', { ...ada, phone: null }, toPhone, noNumber],
  [
    'empty action fields',
    ada,
    undefined,
    {
      ...noNumber,
      message: `${noNumber.message} "Body" is missing: the text of the message, up to 1,600 characters.`,
    },
  ],
  [
    'a template that names no column',
    ada,
    { ...toPhone, body: '{{ nobody }}' },
    {
      ...{ who: 'Ada', outcome: 'failed' },
      message: '{{ nobody }} in "Body" is not a valid formula: nobody is not defined',
    },
  ],
  [
    'no value for a part of the text',
    { ...ada, name: null },
    toPhone,
    {
      ...{ who: '+1 (202) 555-0101', outcome: 'failed' },
      message:
        '{{ name }} in "Body" has no value. Check the name, or add a default: {{ name || "" }}.',
    },
  ],
];
test.each(cases)('plans a row with %s', async (_, row, configuration, item) => {
  expect(await planned([row], configuration ? { configuration } : {})).toStrictEqual([item]);
});

const hello = { to: '{{ phone }}', body: 'Hello' };
test.each<[what: string, row: Row, table: object, configuration: Row, who: string]>([
  ['its name', ada, {}, hello, 'Ada (+12025550101)'],
  ['its number if it has no name', { ...ada, name: ' ' }, {}, hello, '+12025550101'],
  ['its number if its name is no text', { ...ada, name: 7 }, {}, hello, '+12025550101'],
  ['its number if the key is its name', ada, { pk_name: 'name' }, hello, '+12025550101'],
  ['its number if the service has the row', ada, { provider_name: 'x' }, hello, '+12025550101'],
  [
    'its name alone if all rows send to one number',
    ada,
    {},
    { ...hello, to: '+12025550101' },
    'Ada',
  ],
  [
    'its name in one line',
    { ...ada, name: 'Ada\r\nSkipping 9 rows: Bob' },
    {},
    hello,
    'Ada Skipping 9 rows: Bob (+12025550101)',
  ],
  [
    'its key if it has no name or number',
    ada,
    { fields: [] },
    { ...hello, to: '+12025550101' },
    '#A1',
  ],
])('names a row by %s', async (_, row, table, configuration, who) => {
  expect(await planned([row], { configuration }, table)).toMatchObject([
    { who, outcome: 'waiting' } satisfies Partial<RowItem>,
  ]);
});

const text = (name: string, attributes?: object) => ({
  ...{ name, label: name, type: { name: 'String' } },
  ...(attributes && { attributes }),
});
const named: Record<string, string> = {
  ...{ address: 'Elm Street 1', comment: 'Call back', status: 'busy' },
  ...{
    name: 'Ada',
    full_name: 'Ada Lovelace',
    title: 'Dr. Lovelace',
    customer_name: 'A. Lovelace',
  },
  ...{ nick: 'Countess', email: 'ada@example.com', sms: 'in progress' },
};
test.each<[columns: string[], shown: string | undefined, who: string | undefined]>([
  [['address', 'comment', 'name', 'status'], 'comment', named.name],
  [['address', 'full_name'], undefined, named.full_name],
  [['customer_name', 'nick', 'title'], 'nick', named.title],
  [['comment', 'customer_name', 'email', 'nick'], 'nick', named.nick],
  [['address', 'customer_name', 'email'], undefined, named.customer_name],
  [['address', 'email', 'status'], undefined, named.email],
  [['address', 'comment', 'phone', 'status'], undefined, undefined],
  [['address', 'phone'], 'phone', undefined],
  [['email', 'status'], 'status', named.email],
  [['sms'], 'sms', undefined],
])('names a row with the columns %j, shown elsewhere by %s, %s', async (own, shown, who) => {
  const keys = [
    { name: 'boss', type: 'Key', reftable_name: 'People', attributes: { summary_field: shown } },
  ];
  jest.replaceProperty(state(), 'tables', [{ name: 'Teams', fields: keys }]);
  const fields = own.map((name) =>
    text(name, name === 'status' ? { options: 'busy,free' } : undefined),
  );
  const row = { ...named, ...ada };
  const [item] = await planned([row], { configuration: hello }, { fields }, columns);
  expect(item?.who).toBe(who ? `${who} (+12025550101)` : '+12025550101');
});

test('uses the values of each row, not of the row that the button is in', async () => {
  const run = { row: { name: 'Edsger', phone: '+12025550103' }, configuration: toPhone };
  expect(await planned([ada, grace], run)).toStrictEqual([
    waiting,
    {
      ...{ who: 'Grace (+12025550102)', to: '+12025550102', outcome: 'waiting' },
      values: { from: '+14155550100', to: '+12025550102', body: 'Dear Grace!' },
    },
  ]);
});

test('a template can use the user who pressed the button', async () => {
  const configuration = { ...toPhone, body: 'User {{ user.id }}' };
  expect(await planned([ada], { user: { id: 7 }, configuration })).toStrictEqual([
    { ...waiting, values: { ...values, body: 'User 7' } },
  ]);
});

const key = 'A1';
const who = 'Ada (+12025550101)';
const before = { who, to: values.to, key, outcome: 'already-done' };
const pending = { ...waiting, key, isPending: true };
test.each<[said: unknown, item: object, withoutNumber: object]>([
  [undefined, { ...waiting, key }, { ...noNumber, key }],
  [null, { ...waiting, key }, { ...noNumber, key }],
  ['', { ...waiting, key }, { ...noNumber, key }],
  ['failed', { ...waiting, key }, { ...noNumber, key }],
  ['no thanks', { ...waiting, key }, { ...noNumber, key }],
  ['done', before, { ...noNumber, key, outcome: 'already-done' }],
  ['in progress', pending, { ...noNumber, key, outcome: 'unknown' }],
  ['unknown', pending, { ...noNumber, key, outcome: 'unknown' }],
])('plans a row whose outcome is %j', async (sms, item, withoutNumber) => {
  const run = { configuration: toPhone };
  expect(await planned([{ ...ada, sms }], run, {}, columns)).toStrictEqual([item]);
  expect(await planned([{ ...ada, sms, phone: null }], run, {}, columns)).toStrictEqual([
    withoutNumber,
  ]);
  // Without outcome columns, the same column means nothing.
  expect(await planned([{ ...ada, sms }], run)).toStrictEqual([waiting]);
});

test('plans the same message to a number once, in any spelling of the number', async () => {
  const again = { ...ada, code: 'A3', phone: '+12025550101' };
  const run = { configuration: toPhone };
  expect(await planned([ada, grace, again], run)).toMatchObject([
    { who, outcome: 'waiting' },
    { who: 'Grace (+12025550102)', outcome: 'waiting' },
    { who, outcome: 'duplicate' },
  ]);
  expect(await planned([ada, { ...again, sms: 'done' }], run, {}, columns)).toStrictEqual([
    { who, to: values.to, outcome: 'duplicate' },
    { ...before, key: 'A3', same: ['A1'] },
  ]);
});

test('fills columns into templates without Saltcorn’s sandbox, which takes milliseconds', async () => {
  const interpolate = jest.spyOn(saltcorn('data/utils'), 'interpolate');
  const plain = { to: '{{ phone }}', body: '{{name}} of {{! age }}, {{boss}}' };
  const expected = { ...waiting, values: { ...values, body: 'Ada of 36, B1' } };
  expect(await planned([ada], { configuration: plain })).toStrictEqual([expected]);
  expect(interpolate).not.toHaveBeenCalled();
  await planned([ada], { configuration: { ...plain, body: '{{ name || "" }}' } });
  expect(interpolate).toHaveBeenCalledTimes(1);
});

test('identifies rows by their table and key', async () => {
  const table = people as PlanArguments[2];
  const rows = [ada, { ...grace, code: null }];
  const items = await plan(send, account, table, rows, { configuration: toPhone });
  expect(items.map(({ row }) => row)).toEqual(['["People","A1"]', '["People",null]']);
});
