import type { Fault } from '../../demo/sandbox/index.ts';
import { outcome, sandboxWith, send } from './lost-responses.ts';
import { skipRetryWaits, sms, telephonyAt } from './service.ts';

// `confirm` in the process that sent the message: its response arrived, and was lost later, such as by a failed database.

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

const lost: Fault = { name: 'reset-after', method: 'POST' };
const never: Fault = { name: 'reset-before', method: 'POST' };

test('finds a message whose response arrived, each time', async () => {
  const sandbox = await sandboxWith();
  const telephony = telephonyAt(sandbox.url);
  const since = await telephony.now();
  const sid = await send(sandbox);
  const confirm = async () => (await telephony.confirm('send-sms', sms, { since })).record?.sid;
  expect([await confirm(), await confirm()]).toEqual([sid, sid]);
});

test('finds a message whose lost response was never confirmed', async () => {
  const sandbox = await sandboxWith(lost);
  const telephony = telephonyAt(sandbox.url, { confirmTimeoutMs: 0 });
  const since = await telephony.now();
  expect(await outcome(telephony.run('send-sms', sms))).toBe('unknown-outcome');
  const { record } = await telephonyAt(sandbox.url).confirm('send-sms', sms, { since });
  expect(record?.sid).toBe(sandbox.messages[0]?.sid);
});

test('does not find a message that is older than `since`', async () => {
  const sandbox = await sandboxWith();
  const telephony = telephonyAt(sandbox.url);
  await send(sandbox);
  const since = new Date(Number(await telephony.now()) + 10_000);
  const { record } = await telephony.confirm('send-sms', sms, { since });
  expect(record).toBeUndefined();
});

test('finds one message for only one of two attempts at different times', async () => {
  const sandbox = await sandboxWith(lost, never);
  const telephony = telephonyAt(sandbox.url, { confirmTimeoutMs: 0 });
  const since = await telephony.now();
  for (const _ of [1, 2])
    expect(await outcome(telephony.run('send-sms', sms))).toBe('unknown-outcome');
  const confirming = telephonyAt(sandbox.url);
  const confirm = async (time: Date) =>
    (await confirming.confirm('send-sms', sms, { since: time })).record?.sid;
  const found = [await confirm(since), await confirm(new Date(Number(since) - 1))];
  expect(found.filter(Boolean).length).toBeLessThanOrEqual(1);
});

test('names identical messages that may belong to other attempts', async () => {
  const sandbox = await sandboxWith(lost, never);
  expect(
    await outcome(telephonyAt(sandbox.url, { confirmTimeoutMs: 0 }).run('send-sms', sms)),
  ).toBe('unknown-outcome');
  const { message } = await telephonyAt(sandbox.url)
    .run('send-sms', sms)
    .catch((error) => error);
  expect(message).toMatch(
    /The plugin checked "Account Messages" until .* UTC\. It contains identical entries, which may belong to other attempts\./,
  );
});

test('does not find a lost message by an equal one that this process sent later', async () => {
  const sandbox = await sandboxWith(never);
  const since = await telephonyAt(sandbox.url).now();
  expect(await send(sandbox, { confirmTimeoutMs: 0 })).toBe('unknown-outcome');
  expect(await send(sandbox)).toBe(sandbox.messages[0]?.sid);
  const { problem } = await telephonyAt(sandbox.url).confirm('send-sms', sms, { since });
  expect(problem).toMatch(/It contains identical entries, which may belong to other attempts\./);
});
