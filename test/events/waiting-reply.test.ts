import {
  type EventContext,
  namedEvent,
  TelephonyError,
  WaitingReply,
  waitingReply,
} from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';

let count = 0;
/** Waits with a new id. */
function open(
  signal = new AbortController().signal,
  checkReply: EventContext['checkReply'] = () => {},
  countReply: EventContext['countReply'] = async () => {},
) {
  count += 1;
  return new WaitingReply(`reply-${count}`, { signal, checkReply, countReply });
}

async function found(id: string) {
  const { code, message } = await errorOf(Promise.resolve().then(() => waitingReply(id)));
  return { code, message };
}

const problem = (why: string) => ({
  ...{ code: 'input', message: `${why} Send a message instead.` },
});
const tooLate = problem('The reply is too late: the service no longer waits for it.');
const second = problem('This event already has a reply.');

test('a waiting reply can be found until it is given', async () => {
  const waiting = open();
  expect(waitingReply(waiting.id)).toBe(waiting);
  expect(await found('another')).toEqual(tooLate);
  await waiting.reply('reply', { text: 'Thank you!' });
  expect(await waiting.given).toEqual({ form: 'reply', input: { text: 'Thank you!' } });
  expect(await found(waiting.id)).toEqual(second);
});

test('a waiting reply ends empty after its timeout', async () => {
  const stop = new AbortController();
  const waiting = open(stop.signal);
  stop.abort();
  expect(await waiting.given).toBeUndefined();
  expect(await found(waiting.id)).toEqual(tooLate);
});

test('a waiting reply ends empty when it is cancelled', async () => {
  const waiting = open();
  waiting.end();
  expect(await waiting.given).toBeUndefined();
});

test('a reply that cannot be sent throws, and another can still be given', async () => {
  const checked: unknown[] = [];
  const waiting = open(undefined, (reply) => {
    checked.push(reply);
    throw new TelephonyError('input', '"Text" is missing.', { field: 'text' });
  });
  const error = await errorOf(waiting.reply('reply', {}));
  expect([error.code, error.message, error.field]).toEqual([
    ...['input', '"Text" is missing.', 'text'],
  ]);
  expect(checked).toEqual([{ form: 'reply', input: {} }]);
  expect(waitingReply(waiting.id)).toBe(waiting);
  waiting.end();
});

test('a reply that a limit refuses rejects, and another can still be given', async () => {
  const refused = new TelephonyError('limit-reached', 'Nothing was sent.');
  const counts = [() => Promise.reject(refused), async () => {}];
  const waiting = open(undefined, undefined, () => counts.shift()?.() ?? Promise.resolve());
  expect(await errorOf(waiting.reply('reply', { text: 'One' }))).toBe(refused);
  await waiting.reply('reply', { text: 'Two' });
  expect(await waiting.given).toEqual({ form: 'reply', input: { text: 'Two' } });
});

test('of two replies at once, the first one counts', async () => {
  let counted = () => {};
  const waiting = open(undefined, undefined, () => new Promise((resolve) => (counted = resolve)));
  const first = waiting.reply('reply', { text: 'One' });
  expect(await found(waiting.id)).toEqual(second);
  counted();
  await first;
  expect(await waiting.given).toEqual({ form: 'reply', input: { text: 'One' } });
});

test('the name of an event contains its label and the SID of its record', () => {
  const record = { sid: 'SM1' } as Parameters<typeof namedEvent>[0]['record'];
  const event = { id: 'sms-received', record } as Parameters<typeof namedEvent>[0];
  expect(namedEvent(event)).toBe('“SMS received” (SM1)');
});
