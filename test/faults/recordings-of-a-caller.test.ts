import fc from 'fast-check';
import { answer, listen, type RawServer } from './raw-server.ts';
import { telephonyAt } from './service.ts';

interface Call {
  sid: string;
  from: string;
  parent_call_sid: string | null;
}
interface Recording {
  sid: string;
  call_sid: string;
}

/** The records of an account, newest first, and the limits of its service. */
interface Account {
  calls: Call[];
  recordings: Recording[];
  /** The largest page size. */
  largest?: number;
  /** The filters that the service ignores. */
  ignores?: string[];
}

const caller = '+12025550143';
const other = '+12025550144';

let rawServer: RawServer;
afterEach(() => rawServer.close());

/** The records that the service's filters select. */
function chosen({ calls, recordings, ignores = ['From of recordings'] }: Account, url: URL) {
  const name = url.pathname.endsWith('/Calls.json') ? 'calls' : 'recordings';
  const filterValue = (filter: string) =>
    ignores.includes(`${filter} of ${name}`) ? null : url.searchParams.get(filter);
  const [from, callSid] = [filterValue('From'), filterValue('CallSid')];
  const isFrom = (sid: string) => calls.some((call) => call.sid === sid && call.from === from);
  const list =
    name === 'calls'
      ? calls.filter((call) => !from || call.from === from)
      : recordings.filter(
          ({ call_sid: sid }) => (!callSid || sid === callSid) && (!from || isFrom(sid)),
        );
  return { name, list };
}

async function serve(account: Account) {
  const { largest = 1000 } = account;
  rawServer = await listen((socket, { path }) => {
    const url = new URL(path, rawServer.url);
    const { name, list } = chosen(account, url);
    const size = Math.min(Number(url.searchParams.get('PageSize') ?? 50), largest);
    const start = Number(url.searchParams.get('Page') ?? 0) * size;
    const isLast = start + size >= list.length;
    url.searchParams.set('Page', String(start / size + 1));
    socket.write(
      answer(
        200,
        JSON.stringify({
          [name]: list.slice(start, start + size),
          next_page_uri: isLast ? null : url.pathname + url.search,
        }),
      ),
    );
  });
  return telephonyAt(rawServer.url);
}

/** The expected recordings, found by brute force. */
function truth({ calls, recordings }: Account): string[] {
  const own = calls.filter(({ from }) => from === caller);
  const sids = new Set(own.flatMap(({ sid, parent_call_sid: parent }) => [sid, parent]));
  return recordings.filter((one) => sids.has(one.call_sid)).map(({ sid }) => sid);
}

const sidsOf = (records: { sid: string }[]) => records.map(({ sid }) => sid);

/** Creates calls; a predicate on their number selects those of the caller. */
const makeCalls = (count: number, isOwn: (index: number) => boolean): Call[] =>
  Array.from({ length: count }, (_, index) => ({
    sid: `CA${index}`,
    from: isOwn(index) ? caller : other,
    parent_call_sid: null,
  }));
const makeRecordings = (count: number, callOf: (index: number) => number): Recording[] =>
  Array.from({ length: count }, (_, index) => ({
    sid: `RE${index}`,
    call_sid: `CA${callOf(index)}`,
  }));
const same = (index: number) => index;

const calls = makeCalls(1000, (index) => index % 10 === 0);
const every = makeRecordings(1000, same);
const few = (count: number) => makeCalls(1000, (index) => index < count);

/** An account, and how many requests its first page and all its pages cost. */
const accounts: [name: string, account: Account, first: number, all: number][] = [
  ['1,000 calls, 100 of the caller', { calls, recordings: every }, 3, 3],
  ['1,000 calls, all of the caller', { calls: few(1000), recordings: every }, 2, 21],
  ['1,000 calls, three of the caller', { calls: few(3), recordings: every }, 3, 3],
  ['1,000 calls, two of the caller', { calls: few(2), recordings: every }, 4, 4],
  ['1,000 calls, one of the caller', { calls: few(1), recordings: every }, 3, 3],
  ['1,000 calls, none of the caller', { calls: few(0), recordings: every }, 2, 2],
  ['no recordings', { calls, recordings: [] }, 1, 1],
  [
    '1,000 calls, recordings only of the oldest',
    { calls, recordings: makeRecordings(1000, (index) => 900 + (index % 100)) },
    ...([3, 3] as const),
  ],
  [
    'a service that supports the filter',
    { calls, recordings: every, ignores: [] },
    ...([2, 3] as const),
  ],
  [
    'a service that supports no filter',
    {
      ...{ calls, recordings: every },
      ignores: ['From of calls', 'From of recordings', 'CallSid of recordings'],
    },
    ...([3, 3] as const),
  ],
  [
    'two-leg calls, recordings of the first leg',
    {
      calls: calls.map((call, index) =>
        index % 10 === 0 ? { ...call, parent_call_sid: `CA${index + 1}` } : call,
      ),
      recordings: makeRecordings(500, (index) => index * 2 + 1),
    },
    ...([3, 3] as const),
  ],
  [
    '10,000 calls, 2,500 of the caller, and 3,000 recordings',
    {
      calls: makeCalls(10_000, (index) => index % 4 === 0),
      recordings: makeRecordings(3000, (index) => index * 3),
    },
    ...([3, 7] as const),
  ],
  [
    '10,000 calls, the 30 oldest of the caller, and 10,000 recordings',
    {
      calls: makeCalls(10_000, (index) => index >= 9970),
      recordings: makeRecordings(10_000, same),
    },
    ...([12, 12] as const),
  ],
  [
    '100,000 recordings, and the six oldest calls of the caller',
    {
      calls: makeCalls(100_000, (index) => index >= 99_994),
      recordings: makeRecordings(100_000, same),
    },
    ...([14, 14] as const),
  ],
  [
    'a service that supports no filter, and a caller with one call',
    {
      calls: makeCalls(200, (index) => index === 150),
      ...{ recordings: makeRecordings(1000, (index) => index % 200), largest: 100 },
      ignores: ['From of calls', 'From of recordings', 'CallSid of recordings'],
    },
    ...([15, 15] as const),
  ],
  [
    'pages of at most 100, 2,000 calls and 2,000 recordings',
    {
      calls: makeCalls(2000, (index) => index % 10 === 0),
      ...{ recordings: makeRecordings(2000, same), largest: 100 },
      ignores: ['From of calls', 'From of recordings'],
    },
    ...([17, 41] as const),
  ],
];

describe.each(accounts)('recordings by caller: %s', (_, account, first, all) => {
  test(`the first page costs ${first} requests`, async () => {
    const telephony = await serve(account);
    const expected = truth(account);
    const page = await telephony.run('recordings-by-caller-id', { from: caller });
    expect(sidsOf(page.records)).toEqual(expected.slice(0, 50));
    expect(page.more).toBe(expected.length > 50);
    expect(rawServer.received).toHaveLength(first);
  });

  test(`all pages cost ${all} requests`, async () => {
    const telephony = await serve(account);
    const found: string[] = [];
    let more = true;
    for await (const page of telephony.pages('recordings-by-caller-id', { from: caller })) {
      found.push(...sidsOf(page.records));
      more = page.more;
    }
    expect([found, more]).toEqual([truth(account), false]);
    expect(rawServer.received).toHaveLength(all);
  });
});

test('the largest page size reads no page twice', async () => {
  const telephony = await serve({ calls, recordings: every });
  const { records } = await telephony.run('recordings-by-caller-id', {
    ...{ from: caller, pageSize: 1000 },
  });
  expect(records).toHaveLength(100);
  expect(rawServer.received).toHaveLength(2);
});

const names = ['From of calls', 'From of recordings', 'CallSid of recordings'];
const random = fc
  .record({
    legs: fc.array(fc.tuple(fc.boolean(), fc.option(fc.nat(40), { freq: 2 })), { maxLength: 40 }),
    ofCalls: fc.array(fc.nat(45), { maxLength: 60 }),
    largest: fc.integer({ min: 1, max: 9 }),
    ignores: fc.subarray(names),
  })
  .map(({ legs, ofCalls, ...rest }): Account => {
    const created = legs.map(([isOwn, parent], index) => ({
      ...{ sid: `CA${index}`, from: isOwn ? caller : other },
      parent_call_sid: parent === null ? null : `CA${parent}`,
    }));
    return {
      ...rest,
      calls: created,
      recordings: makeRecordings(ofCalls.length, (at) => ofCalls[at] ?? 0),
    };
  });

/** How many requests a page may cost: its share, and those that were still in progress when it was used up. */
const mostForOnePage = 2 + 19 + 5 * 2;

test('in 300 random accounts, every recording of the caller is found once, no other, at a bounded cost', async () => {
  await fc.assert(
    fc.asyncProperty(random, fc.integer({ min: 1, max: 12 }), async (account, pageSize) => {
      const telephony = await serve(account);
      const found: string[] = [];
      let more = true;
      let before = 0;
      for await (const page of telephony.pages('recordings-by-caller-id', {
        from: caller,
        pageSize,
      })) {
        found.push(...sidsOf(page.records));
        expect(page.records.length).toBeLessThanOrEqual(pageSize);
        expect(rawServer.received.length - before).toBeLessThanOrEqual(mostForOnePage);
        before = rawServer.received.length;
        more = page.more;
      }
      const knowsFilter = !account.ignores?.includes('From of recordings');
      const expected = knowsFilter
        ? chosen(
            account,
            new URL(`${rawServer.url}/Recordings.json?From=${encodeURIComponent(caller)}`),
          ).list.map(({ sid }) => sid)
        : truth(account);
      expect([found.sort(), more]).toEqual([expected.sort(), false]);
      await rawServer.close();
    }),
    { numRuns: 300, seed: 20_263 },
  );
}, 60_000);
