import { finalStatuses, receiveEvents } from '../../src/builder.ts';
import { address, signedForm } from '../events/signed.ts';
import { errorOf, parts } from './errors.ts';
import { account, accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const mockWaits: number[] = [];
let mockDuring: (wait: number) => unknown = () => undefined;
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number, _: unknown, options?: { signal?: AbortSignal }) => {
    mockWaits.push(milliseconds);
    await mockDuring(milliseconds);
    options?.signal?.throwIfAborted();
  },
}));
beforeEach(() => {
  mockWaits.length = 0;
  mockDuring = () => undefined;
});

const message = (status: string) => ({ status: 200, body: { sid: 'SM1', status } });
const call = (status: string) => ({ status: 200, body: { sid: 'CA1', status } });

test.each([
  ['at once', ['delivered'], []],
  ['after some waits', ['queued', 'sent', 'sent', 'undelivered'], [1_000, 2_000, 4_000]],
  [
    'after at most 15 seconds each',
    ['queued', 'queued', 'queued', 'queued', 'queued', 'queued', 'new-status', 'failed'],
    [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000],
  ],
])('returns a message with a final status, %s', async (_, statuses, waits) => {
  const sent = answerWith(statuses.map(message));
  const { sid, status } = await telephony().waitForFinalStatus('message', 'SM1');
  expect([sid, status]).toEqual(['SM1', statuses.at(-1)]);
  expect(mockWaits).toEqual(waits);
  expect(new Set(sent.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set([`GET ${accountPath}/Messages/SM1.json`]),
  );
});

test('accepts a record, here of a call', async () => {
  const sent = answerWith([call('ringing'), call('busy')]);
  const { status } = await telephony().waitForFinalStatus('call', { sid: 'CA1' });
  expect(status).toBe('busy');
  expect(sent.map(({ path }) => path)).toEqual(Array(2).fill(`${accountPath}/Calls/CA1.json`));
});

test('reads again at once when an event reports the record', async () => {
  const settings = { ...account, password: 'secret' };
  const receive = receiveEvents(settings, { url: address, onEvent: () => {} });
  const event = (sid: string) =>
    signedForm(
      { AccountSid: account.username, MessageSid: sid, MessageStatus: 'delivered' },
      { token: 'secret' },
    );
  answerWith([message('sent'), message('sent'), message('delivered')]);
  const woken: boolean[] = [];
  mockDuring = async () => {
    const { status } = await receive(event(woken.length === 0 ? 'SM2' : 'SM1'));
    woken.push(status === 200);
  };
  await telephony().waitForFinalStatus('message', 'SM1');
  expect(woken).toEqual([true, true]);
});

test.each([
  ['names the last status', message('sent'), ' Its last status was “sent”.'],
  ['names no status if the record has none', { status: 200, body: { sid: 'SM1' } }, ''],
])('times out and %s', async (_, answered, last) => {
  answerWith([answered]);
  const { setTimeout } = globalThis;
  let passTime = () => {};
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    act: () => void,
    ms?: number,
  ) => {
    if (ms === 4_321) passTime = act;
    return setTimeout(act, ms);
  }) as typeof setTimeout);
  mockDuring = () => passTime();
  const waiting = telephony().waitForFinalStatus('message', 'SM1', { timeoutMs: 4_321 });
  expect(parts(await errorOf(waiting))).toEqual({
    code: 'timeout',
    message: `The message had no final status after 4.321 seconds.${last} Check it again later.`,
    request: 'GET /Messages/{MessageSid}.json',
  });
  timers.mockRestore();
});

test('stops when the caller aborts', async () => {
  const caller = new AbortController();
  answerWith([message('sent')]);
  mockDuring = () => caller.abort();
  const waiting = telephony().waitForFinalStatus('message', 'SM1', { signal: caller.signal });
  expect(parts(await errorOf(waiting))).toMatchObject({ code: 'aborted' });
});

test.each([
  ['a record that is not found', 'message', 'SM9', { code: 'not-found' }],
  [
    'a record without statuses',
    'file',
    'ME1',
    {
      code: 'input',
      message: 'Unknown record type with a final status "file". Choose one of: call, message.',
    },
  ],
  [
    'no record',
    'message',
    null as unknown as string,
    { code: 'input', message: 'The record must be an object, or the SID of one.' },
  ],
  [
    'an unknown kind of record',
    'fax',
    'FX1',
    {
      code: 'input',
      message: expect.stringContaining('Unknown record type "fax"'),
    },
  ],
])('fails for %s', async (_, shape: string, sid, error) => {
  answerWith([{ status: 404, body: { code: 20404, message: 'Not found' } }]);
  expect(parts(await errorOf(telephony().waitForFinalStatus(shape, sid)))).toMatchObject(error);
});

test('lists the final statuses', () => {
  expect(finalStatuses('call')).toEqual(['completed', 'busy', 'failed', 'no-answer', 'canceled']);
  expect(finalStatuses('message')).toContain('delivered');
  expect(finalStatuses('message')).not.toContain('sent');
});
