import nock from 'nock';
import { connect, type Limits } from '../../src/builder.ts';
import { ledgerOf } from '../../src/confirm/ledger.ts';
import { checkSettings } from '../../src/settings/check-settings.ts';
import { account, answerWith, isolate, type ServiceAnswer } from './service.ts';

// How the account's log is searched, and which record confirms a write. `faults/confirm.test.ts` tests the outcome of writes.

isolate();

const mockWaits: number[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockWaits.push(milliseconds);
  },
}));

const input = { from: '+14155550100', to: '+12025550143', body: 'Looked for' };
const noon = Date.UTC(2026, 10, 21, 12);
const since = new Date(noon - 60_000);

beforeEach(() => {
  mockWaits.length = 0;
  jest.spyOn(performance, 'now').mockReturnValue(5_000);
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => jest.restoreAllMocks());

/** A message that was created so many seconds after the write started. */
const made = (seconds: number, sid = 'SM1', more: object = {}) => ({
  ...input,
  ...{ sid, direction: 'outbound-api', ...more },
  date_created: new Date(since.getTime() + seconds * 1_000).toISOString(),
});

const page = (messages: object[], next: string | null = null): ServiceAnswer => ({
  ...{ status: 200, body: { messages, next_page_uri: next } },
  headers: { date: new Date(noon).toUTCString() },
});

let count = 0;
/** Looks on an account that nothing else has used. */
async function look(
  answers: ServiceAnswer[],
  {
    begun = since,
    signal,
    ...limits
  }: Partial<Limits> & { begun?: Date; signal?: AbortSignal } = {},
) {
  count += 1;
  const telephony = connect({ ...account, username: `AC${count}`, limits });
  nock.cleanAll();
  const sent = answerWith(answers);
  const found = await telephony.confirm('send-sms', input, { since: begun, signal });
  return { found: found.record?.sid ?? found.problem, asked: sent.length, telephony };
}

const advice = "Check your account's message log before you send it again.";
const inVain = expect.stringMatching(
  /^The plugin checked "Account Messages" until [-\d]{10} [:\d]{8} UTC and did not find it\. Check/,
);
const unread = expect.stringMatching(
  /^The plugin tried to check "Account Messages" until [-\d]{10} [:\d]{8} UTC, but could not read it\. Check/,
);

const half = new Date(since.getTime() + 500);
const records: [name: string, records: object[], begun: Date, sid: unknown][] = [
  ['created when the write began', [made(0)], since, 'SM1'],
  ['created in the second in which the write began', [made(0)], half, 'SM1'],
  ['created milliseconds before the write', [made(0.4)], half, inVain],
  ['created milliseconds after the write', [made(0.6)], half, 'SM1'],
  ['created in the same millisecond as the write', [made(0.5)], half, 'SM1'],
  ['created a second before the write', [made(-1)], since, inVain],
  ['created at the end of the time window', [made(62)], since, 'SM1'],
  ['created after the time window', [made(63)], since, inVain],
  ['without a creation date', [{ ...made(0), date_created: null }], since, inVain],
  ['with another text', [made(0, 'SM1', { body: 'Else' })], since, inVain],
  ['of an inbound message', [made(0, 'SM1', { direction: 'inbound' })], since, inVain],
  ['that is the oldest of several matches', [made(9, 'SM2'), made(3, 'SM1')], since, 'SM1'],
];

test.each(records)('confirms a write, or not, by a record %s', async (_, messages, begun, sid) => {
  const { found, asked } = await look(Array(5).fill(page(messages)), { begun });
  expect(found).toEqual(sid);
  expect(asked).toBe(sid === 'SM1' ? 1 : 5);
});

const perhaps = expect.stringMatching(
  /^The plugin checked "Account Messages" until [-\d]{10} [:\d]{8} UTC\. It contains entries that the plugin can't read; one of them may belong to this attempt\. Check/,
);

test.each<[log: string, messages: object[], outcome: unknown]>([
  ['only has other entries', [{ ...made(0), sid: null }], perhaps],
  ['has it, too', [{ ...made(9), sid: '' }, made(0)], 'SM1'],
])(
  'confirms a write by a log that has an unreadable entry and %s',
  async (_, messages, outcome) => {
    expect((await look(Array(5).fill(page(messages)))).found).toEqual(outcome);
  },
);

test('never confirms two writes by the same record', async () => {
  const both = page([made(9, 'SM2'), made(3, 'SM1')]);
  const { found, telephony } = await look([both, both, both]);
  const again = await telephony.confirm('send-sms', input, { since });
  expect([found, again.record?.sid]).toEqual(['SM1', 'SM2']);
});

test('does not deny a message that another confirmation found', async () => {
  const log = Array(10).fill(page([made(3)]));
  const { found, telephony } = await look(log);
  const earlier = new Date(since.getTime() - 1_000);
  const again = await telephony.confirm('send-sms', input, { since: earlier });
  expect(found).toBe('SM1');
  expect(again.problem).toMatch(
    /^The plugin checked "Account Messages" until [-\d]{10} [:\d]{8} UTC\. It contains identical entries, which may belong to other attempts\./,
  );
});

test('checks the message log five times, at growing intervals', async () => {
  await look(Array(5).fill(page([])));
  expect(mockWaits).toEqual([250, 500, 1_000, 2_000, 4_000]);
});

const next = (number: number) => `/2010-04-01/Accounts/AC${count + 1}/Messages.json?Page=${number}`;

test('checks further pages as long as their records are recent enough', async () => {
  const other = made(20, 'SM9', { body: 'Else' });
  const further = await look([page([other], next(1)), page([made(3)])]);
  expect([further.found, further.asked]).toEqual(['SM1', 2]);
  const old = page([other, made(-1, 'SM8')], next(1));
  const over = await look([old, old, old, old, old]);
  expect([over.found, over.asked]).toEqual([inVain, 5]);
});

test('checks ten pages at most', async () => {
  const pages = () =>
    Array.from({ length: 10 }, (_, index) =>
      page([made(20, `SM${index}`, { body: 'Else' })], next(index + 1)),
    );
  const { found, asked } = await look([...pages().slice(0, 9), page([made(1)], next(10))]);
  expect([found, asked]).toEqual(['SM1', 10]);
  const vain = await look(Array.from({ length: 5 }, pages).flat());
  expect([vain.found, vain.asked]).toEqual([inVain, 50]);
});

test.each([401, 403, 404, 405, 410, 501])(
  'takes status %i to mean that the service has no message log',
  async (status) => {
    const { found, asked } = await look([{ status, body: {} }]);
    expect(found).toBe(
      `The plugin could not check the outcome, because the service has no "Account Messages". ${advice}`,
    );
    expect(asked).toBe(1);
  },
);

const trouble = { status: 503, body: {} };

test('follows a failed check by the next one, without extra retries', async () => {
  const later = await look([trouble, { status: 400, body: {} }, page([made(1)])]);
  expect([later.found, later.asked]).toEqual(['SM1', 3]);
  const never = await look(Array(5).fill(trouble));
  expect([never.found, never.asked]).toEqual([unread, 5]);
});

test('counts one successful check as having checked', async () => {
  const { found, asked } = await look([trouble, page([]), trouble, trouble, trouble]);
  expect([found, asked]).toEqual([inVain, 5]);
});

test('confirms nothing if the answers have no Date header', async () => {
  const timeless = { ...page([made(3)]), headers: {} };
  expect((await look(Array(5).fill(timeless))).found).toEqual(inVain);
});

test('makes no request if it is aborted or turned off', async () => {
  const stopped = await look([], { signal: AbortSignal.abort() });
  expect([stopped.found, stopped.asked]).toEqual([unread, 0]);
  const unwanted = await look([], { confirmTimeoutMs: 0 });
  expect([unwanted.found, unwanted.asked]).toEqual([advice, 0]);
});

/** An equal write in progress on the account of the next confirmation. */
function beginEqual() {
  const { root } = checkSettings({ ...account, username: `AC${count + 1}` });
  const write = ledgerOf(root).open(() => true);
  write.start();
  return write;
}

test('waits for an equal write in progress before it claims a record', async () => {
  const write = beginEqual();
  const looking = look(Array(5).fill(page([made(1)])));
  setTimeout(() => write.end('ended'), 50);
  const { found, asked } = await looking;
  expect([found, asked]).toEqual(['SM1', 1]);
});

test('waits for an equal write no longer than the time limit for confirming', async () => {
  beginEqual();
  const { found, asked } = await look(Array(5).fill(page([made(1)])), { confirmTimeoutMs: 1_500 });
  expect([found, asked]).toEqual([
    expect.stringMatching(
      /^The plugin checked "Account Messages" until .* UTC\. It contains identical entries, which may belong to other/,
    ),
    1,
  ]);
});
