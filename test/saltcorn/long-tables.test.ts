import { sidsOf } from '../sids-of.ts';
import { takeRequests } from '../take-requests.ts';
import { createTable, findTable } from './app.ts';
import { type Host, type Loose, saltcorn, startSaltcorn } from './host.ts';
import { randomCalls } from './oracle/random-records.ts';

let host: Host;
let flashed: string[][] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  const { username: sid, url: origin, calls } = host.sandbox;
  const account = { sid, root: `/2010-04-01/Accounts/${sid}`, origin };
  calls.splice(0, Number.POSITIVE_INFINITY, ...randomCalls(account, 2500, 1));
  await createTable('Calls', 'Telephony: Calls by caller id');
});
beforeEach(async () => {
  flashed = [];
  await host.forget();
});

/** Asks for something while a page is being made. */
const onPage = (work: () => Promise<Loose>) => {
  const req = {
    ...{ method: 'GET', xhr: false, headers: { accept: 'text/html' }, user: { role_id: 1 } },
    ...{ flash: (...args: string[]) => flashed.push(args), res: { status: () => {} } },
  };
  return saltcorn('data/db').runWithTenant({ tenant: 'public', req }, work);
};

const partly = [
  'warning',
  '<div>“Calls by caller id”: this looked at the newest 1,000 records only. Filter the list to see more of it.</div>',
];

test.each([
  [0, 1001],
  [1000, 2001],
  [2400, 2500],
])(
  'the page from row %d on has its rows, and a next page as long as there is one',
  async (offset, count) => {
    await onPage(async () => {
      const rows = await findTable('Calls').getRows({}, { limit: 20, offset });
      expect(sidsOf(rows)).toEqual(sidsOf(host.sandbox.calls.slice(offset, offset + 20)));
      expect(await findTable('Calls').countRows({})).toBe(count);
    });
    expect(takeRequests(host.sandbox)).toHaveLength(Math.floor(offset / 1000) + 1);
    expect(flashed).toEqual([]);
  },
);

const parts: [what: string, ask: (table: Loose) => Promise<Loose>][] = [
  ['a sort', (table) => table.getRows({}, { orderBy: 'duration', limit: 20 })],
  ['a filter that the service does not know', (table) => table.getRows({ direction: 'inbound' })],
  ['a search', (table) => table.getRows({ _fts: { searchTerm: 'lovelace' } })],
  ['a figure', (table) => table.aggregationQuery({ val: { aggregate: 'Max', field: 'duration' } })],
];
test.each(parts)('the page says where %s has seen only part', async (_, ask) => {
  await onPage(() => ask(findTable('Calls')));
  expect(flashed).toEqual([partly]);
});

test('it says nothing where all was seen', async () => {
  await onPage(() => findTable('Calls').getRows({ status: 'busy' }, { orderBy: 'duration' }));
  expect(flashed).toEqual([]);
});

test('what is sorted is the newest, and the rest follows', async () => {
  const rows = await findTable('Calls').getRows({}, { orderBy: 'queueTime', limit: 1200 });
  const times = rows.slice(0, 1000).map(({ queueTime }: Loose) => queueTime);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(sidsOf(rows.slice(1000))).toEqual(sidsOf(host.sandbox.calls.slice(1000, 1200)));
});

test.each([
  ['new', 0, ['GET /Calls.json?PageSize=1000']],
  [
    'older',
    990,
    ['GET /Calls.json?PageSize=1000', expect.stringMatching(/^GET .Calls.CA0+1001\.json$/)],
  ],
])(
  'fifty calls at once that are %s are one list of calls, and what it lacks',
  async (_, from, asked) => {
    const { calls } = host.sandbox;
    const some = calls.slice(from, from === 0 ? 50 : 1002);
    const rows = await findTable('Calls').getRows({ sid: { in: sidsOf(some) } });
    expect(sidsOf(rows).sort()).toEqual(sidsOf(some).sort());
    expect(takeRequests(host.sandbox)).toEqual(expect.arrayContaining(asked as Loose[]));
  },
);
