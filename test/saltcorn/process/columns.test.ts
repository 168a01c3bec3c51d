import { sidsOf } from '../../support/sids-of.ts';
import { createNative, createTable, findTable, forEveryone } from '../app.ts';
import { type Host, type Loose, model, saltcorn, startSaltcorn, state } from '../host.ts';

const usual = { which_columns: 'usual' };

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
});
beforeEach(() => host.forget());

const names = ({ fields }: Loose): string[] => fields.map(({ name }: Loose) => name);

const columns: [source: string, columns: string][] = [
  ['Calls by caller id', 'sid status from to direction startTime duration price'],
  ['View a Call', 'sid status from to direction startTime duration price'],
  ['Recordings by caller id', 'sid status startTime duration track price from media'],
  [
    'Get all Recordings for a given Call',
    'sid callSid status startTime duration track price media',
  ],
  ['Recordings by date', 'sid status startTime duration track price dateCreated media'],
  ['Account Messages', 'sid status from to body direction dateSent price errorCode'],
  ['Phone Numbers', 'sid phoneNumber friendlyName voice sms mms'],
];
test.each(columns)('a table of “%s” has the usual columns', async (source, expected) => {
  const table = await createTable(`usual ${source}`, `Telephony: ${source}`, usual);
  expect(names(table)).toEqual(expected.split(' '));
  expect(table.pk_name).toBe('sid');
});

test.each([{ which_columns: 'all' }, { status: 'busy' }, {}])(
  'a table with the settings %j has all columns',
  async (settings) => {
    const table = await createTable(
      `all ${JSON.stringify(settings)}`,
      'Telephony: Account Calls',
      settings,
    );
    expect(names(table)).toHaveLength(25);
  },
);

/** The selected columns in the settings of a table when they are opened. */
async function chosen(settings: object) {
  const provider = state().table_providers['Telephony: Calls by caller id'];
  const { renderForm } = await provider.configuration_workflow().run({ table_id: 1, ...settings });
  const html: string = saltcorn('markup').renderForm(renderForm, 'csrf');
  const [, select = ''] =
    html.match(/<select[^>]*name="which_columns"[^>]*>(.*?)<\/select>/s) ?? [];
  return select.match(/value="(\w+)" selected/)?.[1];
}

test('a new table starts with the usual columns, and an existing one keeps its own', async () => {
  expect(await chosen({})).toBe('usual');
  expect(await chosen({ status: 'busy' })).toBe('all');
  expect(await chosen(usual)).toBe('usual');
  expect(await chosen({ which_columns: 'all' })).toBe('all');
});

describe('with the usual columns', () => {
  beforeAll(async () => {
    await createNative('Customers', { name: 'String', phone: 'String' }, [
      { name: 'Ada', phone: host.sandbox.calls[0]?.from },
    ]);
    await createTable('Calls', 'Telephony: Calls by caller id', {
      ...{ ...usual, key_from: 'Customers.phone', key_parentCallSid: '' },
    });
    await createTable('Recordings', 'Telephony: Recordings by caller id', {
      ...{ ...usual, key_callSid: 'Calls' },
    });
  });

  const shown = async (table: string, viewtemplate: string) => {
    const configure = state().viewtemplates[viewtemplate].initial_config;
    const { columns } = await configure({ table_id: findTable(table).id });
    return columns.map((one: Loose) => `${one.field_name ?? one.join_field}: ${one.fieldview}`);
  };

  test('a new list is short, with currencies for amounts and players for recordings', async () => {
    expect(await shown('Calls', 'List')).toEqual([
      ...['status: show', 'from: as_text', 'fromRow.name: as_text', 'to: as_text'],
      ...['direction: as_text', 'startTime: show', 'duration: show', 'price: show'],
    ]);
    expect(await shown('Recordings', 'List')).toEqual([
      ...['callSid.from: as_text', 'status: show', 'startTime: show', 'duration: show'],
      ...['track: as_text', 'price: show', 'from: as_text', 'media: show'],
    ]);
    expect((await shown('Recordings', 'Show')).slice(-1)).toEqual(['media: show']);
  });

  test('the chosen keys join other tables', async () => {
    const table = findTable('Recordings');
    const [row] = await table.getJoinedRows({
      limit: 1,
      joinFields: { caller: { ref: 'callSid', target: 'from' } },
    });
    const call = host.sandbox.calls.find(({ sid }) => sid === row.callSid);
    expect(row.caller).toBe(call?.from);
    expect((await findTable('Calls').get_child_relations()).child_field_list).toEqual([
      'Recordings.callSid',
    ]);
  });

  test('rows also hold the other values and can be filtered by them', async () => {
    const table = findTable('Calls');
    const [{ dateCreated }] = await table.getRows({}, { limit: 1 });
    expect(dateCreated).toEqual(new Date(host.sandbox.calls[0]?.date_created ?? ''));
    const rows = await table.getRows({ answeredBy: null });
    expect(sidsOf(rows)).toEqual(
      sidsOf(host.sandbox.calls.filter(({ answered_by }: Loose) => answered_by === null)),
    );
  });

  const searched = async (table: string, searchTerm: string) =>
    sidsOf(await findTable(table).getRows({ _fts: { fields: [], searchTerm } }));

  test('a search covers the shown columns only', async () => {
    await createTable('All calls', 'Telephony: Calls by caller id');
    const [first] = host.sandbox.calls;
    Object.assign(first ?? {}, { caller_name: 'LOVELACE ADA' });
    expect(await searched('All calls', 'lovelace')).toEqual([first?.sid]);
    expect(await searched('Calls', 'lovelace')).toEqual([]);
    expect(await searched('Calls', first?.from ?? '')).toContain(first?.sid);
  });

  test('an ownership formula can use a value that is not a column', async () => {
    const forUser = { id: 2, role_id: 80, email: 'b@example.com' };
    const seen = async (ownership_formula: string) => {
      const table = findTable('Calls');
      await table.update({ ownership_formula, min_role_read: 1 });
      await state().refresh_tables();
      return (await findTable('Calls').getRows({}, { forUser })).length;
    };
    expect(await seen('uri === user.email')).toBe(0);
    expect(await seen('uri !== user.email')).toBe(host.sandbox.calls.length);
  });
});

const markup = '<b>"USD';
const amounts: [value: unknown, attributes: object, text: string][] = [
  [-0.102, { row: { priceUnit: 'USD' }, currency: 'priceUnit' }, '-0.102 USD'],
  [0, { row: { priceUnit: 'USD' }, currency: 'priceUnit' }, '0.00 USD'],
  [-0.102, { row: { priceUnit: null }, currency: 'priceUnit' }, '-0.102'],
  [-0.102, { row: { priceUnit: markup }, currency: 'priceUnit' }, '-0.102 &lt;b&gt;&quot;USD'],
  [null, { row: { priceUnit: 'USD' }, currency: 'priceUnit' }, ''],
  // A sum, and an amount from another table.
  [-12.5, {}, '-12.50'],
  [
    -0.2,
    { row: { priceUnit: 'EUR' }, currency: 'priceUnit', join_field: 'callSid.price' },
    '-0.20',
  ],
  [1234.56789, {}, '1,234.56789'],
];
test.each(amounts)('the amount %j with %j is shown as %j', (value, attributes, text) => {
  const { amount } = state().types.Float.fieldviews;
  expect(amount.run(value, {}, attributes)).toBe(text);
});

test('recordings keep their earlier field views', () => {
  expect(Object.keys(state().types.Sound.fieldviews)).toEqual(
    expect.arrayContaining([
      ...Object.keys(saltcorn('data/base-plugin/types').string.fieldviews),
      'audio_player',
    ]),
  );
});

test('a row of a list shows the amount with its currency', async () => {
  const table = await createTable('Priced', 'Telephony: Account Calls', usual);
  await table.update(forEveryone);
  const configuration = await state().viewtemplates.List.initial_config({ table_id: table.id });
  const View = model('view');
  await View.create({
    ...{ name: 'priced', viewtemplate: 'List', table_id: table.id, configuration, min_role: 100 },
  });
  await state().refresh_views();
  const request = {
    req: { getLocale: () => 'en', __: (text: string) => text, query: {} },
    res: {},
  };
  const html: string = await View.findOne({ name: 'priced' }).run({}, request);
  const priced = host.sandbox.calls.slice(0, 20).find(({ price }) => price !== null);
  const amount = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  });
  expect(html).toContain(`${amount.format(Number(priced?.price))} ${priced?.price_unit}`);
});
