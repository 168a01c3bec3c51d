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

const grace = '+12025550143';

let host: Host;
let flashed: string[][] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  const customers = { name: 'String', phone: 'String' };
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

test.each<[formula: string, country: string, name: string | null]>([
  [`rowByNumber("Customers.phone", "${grace}")`, 'US', 'Grace'],
  ['rowByNumber("Customers.phone", "202.555.0143")', 'US', 'Grace'],
  [`rowByNumber("Customers.phone", "${grace}")`, '', null],
  ['rowByNumber("Customers.phone", "+12025550144")', 'US', null],
  ['rowByNumber("Customers.phone", "")', 'US', null],
  ['rowByNumber("Customers.phone", null)', 'US', null],
  [`rowByNumber("Customers.pager", "${grace}")`, 'US', null],
  [`rowByNumber("Clients.phone", "${grace}")`, 'US', null],
  [`rowByNumber("Calls.from", "${grace}")`, 'US', null],
])('the formula %s, with the default country %j, finds %j', async (formula, country, name) => {
  await inCountry(country);
  const { get_async_expression_function } = saltcorn('data/models/expression');
  expect(await get_async_expression_function(`${formula}?.name ?? null`, [])({})).toBe(name);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

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
