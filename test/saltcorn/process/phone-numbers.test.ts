import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createNative, createTable, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';

import { openCrashLog } from './crash-log.ts';

const grace = '+12025550143';

let host: Host;
let flashed: string[][] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  const calculated = { type: 'String', calculated: true, expression: '"(202) " + phone.slice(-8)' };
  const customers = {
    ...{ name: 'String', phone: 'String' },
    ...{ stored: { ...calculated, stored: true }, calculated },
  };
  await createNative('Customers', customers, [{ name: 'Grace', phone: '(202) 555-0143' }]);
  await createTable('Calls', 'Telephony: Calls by caller id', { key_from: 'Customers.phone' });
});
beforeEach(() => {
  flashed = [];
});

const inCountry = async (defaultCountry: string) => {
  await installPlugin(artefact, { ...host.settings, defaultCountry });
  takeRequests(host.sandbox);
};

/** Reads something while a page renders. */
const onPage = (work: () => Promise<Loose>) => {
  const req = {
    ...{ method: 'GET', xhr: false, headers: { accept: 'text/html' }, user: { role_id: 1 } },
    ...{ flash: (...args: string[]) => flashed.push(args), res: { status: () => {} } },
  };
  return saltcorn('data/db').runWithTenant({ tenant: 'public', req }, work);
};

const ofGrace = () => sidsOf(host.sandbox.calls.filter(({ from }) => from === grace));
const rowsOf = (where: object) => onPage(() => findTable('Calls').getRows(where));

test.each([grace, '12025550143', '(202) 555-0143', '0012025550143'])(
  'with a default country, a filter by %j finds the calls of the number',
  async (from) => {
    await inCountry('US');
    expect(sidsOf(await rowsOf({ from }))).toEqual(ofGrace());
    expect(ofGrace()).not.toHaveLength(0);
    expect(sidsOf(await rowsOf({ from: { in: [from, '50143'] } }))).toEqual(ofGrace());
    expect(await findTable('Calls').countRows({ from })).toBe(ofGrace().length);
    expect(takeRequests(host.sandbox)[0]).toContain('From=%2B12025550143');
    expect(flashed).toEqual([]);
  },
);

const countryCode =
  ', which has no country code. Enter it with its country code, such as +12025550143, or set "Default country" in the module\'s settings.';

test.each([
  ['12025550143', countryCode],
  ['(202) 555-0143', countryCode],
  ['0012025550143', '. Write + instead of the leading 00: +12025550143.'],
  ['25550143', countryCode],
])(
  'without a default country, a filter by %j finds no other number, and the page hints at the country code',
  async (from, advice) => {
    await inCountry('');
    expect(await rowsOf({ from })).toEqual([]);
    const sentence = `“Calls”: nothing found. "From" is ${from}${advice}`;
    expect(flashed).toEqual([['warning', `<div>${sentence}</div>`]]);
  },
);

test.each(['50143', 'ACME Inc.', 'client:2025550143', '+19998887777'])(
  'a filter by %j finds nothing without a hint',
  async (from) => {
    await inCountry('');
    expect(await rowsOf({ from })).toEqual([]);
    expect(flashed).toEqual([]);
  },
);

test("with a default country, a customer's national number is joined to the calls", async () => {
  await inCountry('US');
  const customer = await findTable('Customers').getRow({ name: 'Grace' });
  const rows = await rowsOf({ fromRow: customer.id });
  expect(sidsOf(rows)).toEqual(ofGrace());
  expect(new Set(rows.map(({ fromRow }: Loose) => fromRow))).toEqual(new Set([customer.id]));
});

const evaluate = async (formula: string): Promise<unknown> =>
  saltcorn('data/models/expression').get_async_expression_function(formula, [])({});

test.each<[formula: string, country: string, name: string | null]>([
  [`rowByNumber("Customers.phone", "${grace}")`, 'US', 'Grace'],
  ['rowByNumber("Customers.phone", "202.555.0143")', 'US', 'Grace'],
  [`rowByNumber("Customers.stored", "${grace}")`, 'US', 'Grace'],
  [`rowByNumber("Customers.calculated", "${grace}")`, 'US', 'Grace'],
  [`rowByNumber("Customers.phone", "${grace}")`, '', null],
  ['rowByNumber("Customers.phone", "+12025550144")', 'US', null],
  ['rowByNumber("Customers.phone", "")', 'US', null],
  ['rowByNumber("Customers.phone", null)', 'US', null],
  [`rowsByNumber("Customers.phone", "${grace}")[0]`, 'US', 'Grace'],
  ['rowsByNumber("Customers.phone", "+12025550144")[0]', 'US', null],
  ['rowsByNumber("Customers.phone", "")[0]', 'US', null],
])('the formula %s, with the default country %j, finds %j', async (formula, country, name) => {
  await inCountry(country);
  expect(await evaluate(`${formula}?.name ?? null`)).toBe(name);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

test.each(['Customers.pager', 'Clients.phone', 'Calls.from', 'phone'])(
  'formulas fail, instead of finding no row, if “%s” is no column of texts',
  async (column) => {
    for (const name of ['rowByNumber', 'rowsByNumber'])
      await expect(evaluate(`${name}("${column}", "${grace}")`)).rejects.toThrow(
        `${name}: there is no String column “${column}”. Write it like "Customers.phone".`,
      );
  },
);

test('of several rows with a number, rowByNumber gives the first and logs it once, rowsByNumber all', async () => {
  await inCountry('US');
  const people = { name: 'String', phone: 'String' };
  await createNative('Families', people, [
    { name: 'Ada', phone: '(202) 555-0143' },
    { name: 'Bob', phone: '2025550144' },
    { name: 'Cy', phone: grace },
  ]);
  for (let count = 0; count < 2; count += 1)
    expect(await evaluate(`rowByNumber("Families.phone", "${grace}").name`)).toBe('Ada');
  const all = await evaluate(`rowsByNumber("Families.phone", "${grace}")`);
  expect((all as Loose[]).map(({ name }) => name)).toEqual(['Ada', 'Cy']);
  expect((await openCrashLog().messages()).filter((one) => one.includes('Families'))).toEqual([
    `2 rows of “Families” have the number ${grace}, and rowByNumber gave the first. For all of them, use rowsByNumber.`,
  ]);
});

test.each(['rowByNumber("Customers.phone", "x").name', 'rowsByNumber("Customers.phone", "x")[0]'])(
  'the formula %s fails where Saltcorn does not wait for it',
  async (formula) => {
    const { eval_expression } = saltcorn('data/models/expression');
    const [, name, key] = /^(\w+).*\W(\w+)\]?$/.exec(formula) ?? [];
    expect(() => eval_expression(formula, {})).toThrow(
      `${name}(…) has no result yet where “${key}” is read. In code, write “await ” before it,`,
    );
    const { run } = state().functions[String(name)];
    expect(await run('Customers.phone', '')).toEqual(name === 'rowByNumber' ? null : []);
  },
);

test('an action sends to a national number of the default country, and asks for the country code without one', async () => {
  const row = { phone: '(202) 555-0143' };
  const configuration = { from: '+14155550100', to: '{{ phone }}', body: 'Hello' };
  const user = { id: 1, email: 'me@example.com' };
  const run = () => state().actions['Send SMS'].run({ configuration, row, user });
  await inCountry('');
  await expect(run()).rejects.toThrow('"To" is (202) 555-0143, which has no country code.');
  await inCountry('US');
  await run();
  expect(host.sandbox.messages[0]).toMatchObject({ to: grace, body: 'Hello' });
});
