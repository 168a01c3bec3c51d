import { namedEvent, replyField, WaitingReply, waitingReply } from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';

let count = 0;
/** Waits with a new id. */
function open(late = new AbortController().signal) {
  count += 1;
  return new WaitingReply(`reply-${count}`, 'sms-received', late);
}

async function found(id: string) {
  const { code, message, field } = await errorOf(Promise.resolve().then(() => waitingReply(id)));
  return { code, message, field };
}

const problem = (why: string) => ({
  ...{ code: 'input', field: replyField.key },
  message: `${why} Send it as a new message instead.`,
});
const tooLate = problem('The reply is too late: the service no longer waits for it.');
const second = problem('This event was already answered.');

test('a waiting reply can be found until it is given', async () => {
  const waiting = open();
  expect(waitingReply(waiting.id)).toBe(waiting);
  expect(await found('another')).toEqual(tooLate);
  waiting.reply('Thank you!');
  expect(await waiting.text).toBe('Thank you!');
  expect(await found(waiting.id)).toEqual(second);
});

test('a waiting reply ends empty after its timeout', async () => {
  const stop = new AbortController();
  const waiting = open(stop.signal);
  stop.abort();
  expect(await waiting.text).toBeUndefined();
  expect(await found(waiting.id)).toEqual(tooLate);
});

test('a waiting reply ends empty when it is cancelled', async () => {
  const waiting = open();
  waiting.end();
  expect(await waiting.text).toBeUndefined();
});

const wrong: [text: unknown, message: string][] = [
  [undefined, '"Text" is empty. Enter the reply.'],
  ['', '"Text" is empty. Enter the reply.'],
  [' \n', '"Text" is empty. Enter the reply.'],
  [{}, '"Text" must be text.'],
  [false, '"Text" must be text.'],
  [Number.NaN, '"Text" must be text.'],
  ['😀'.repeat(1_601), '"Text" is too long. Use at most 1600 characters.'],
];

test.each(wrong)(
  'a reply that cannot be sent throws, and another can still be given: %j',
  async (text, message) => {
    const waiting = open();
    const error = await errorOf(Promise.resolve().then(() => waiting.reply(text)));
    expect([error.code, error.message, error.field]).toEqual(['input', message, replyField.key]);
    expect(waitingReply(waiting.id)).toBe(waiting);
    waiting.end();
  },
);

test('a reply of the maximum length is sent', async () => {
  const waiting = open();
  waiting.reply('😀'.repeat(1_600));
  expect(await waiting.text).toBe('😀'.repeat(1_600));
});

test('the name of an event contains its label and the SID of its record', () => {
  const record = { sid: 'SM1' } as Parameters<typeof namedEvent>[0]['record'];
  const event = { id: 'sms-received', record } as Parameters<typeof namedEvent>[0];
  expect(namedEvent(event)).toBe('“SMS received” (SM1)');
});

test.each([
  [17, '17'],
  [Buffer.from('Grüße'), 'Grüße'],
])('sends %j as a text', async (typed, text) => {
  const waiting = open();
  waiting.reply(typed);
  expect(await waiting.text).toBe(text);
});
