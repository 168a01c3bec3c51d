import {
  actionOf,
  Batches,
  connect,
  type EventOptions,
  type EventOutcome,
  type GivenReply,
  memoryStore,
  planRow,
  receiveEvents,
  type SpendingLimits,
  withSingleSends,
} from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, signedForm } from './signed.ts';

// Replies that the service sends count towards the limits of the account, as messages and calls do.

/** Returns a function that delivers an event whose handler replies, and resolves to the response and why the reply was not sent. */
function open(spending: SpendingLimits | undefined, reply: GivenReply, timeoutMs?: number) {
  const store = memoryStore();
  const connected = connect({ ...account, store, ...(spending && { spending }) });
  const telephony = withSingleSends(connected, store);
  let count = 0;
  const said: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    timeoutMs,
    telephony: async () => telephony,
    onEvent: () => reply,
    onOutcome: (report: EventOutcome) => {
      if (report.outcome === 'reply-not-sent') said.push(report.message);
    },
  });
  const deliver = async (event: string, changed: Record<string, string> = {}) => {
    count += 1;
    const sid = String(count).padStart(32, '0');
    const own = event === 'sms-received' ? { MessageSid: `SM${sid}` } : { CallSid: `CA${sid}` };
    const { body } = await receive(signedForm({ ...parametersOf(event), ...own, ...changed }));
    return [body.includes('<Message>') || body.includes('<Dial'), ...said.splice(0)];
  };
  return { deliver, telephony, store };
}

const text = 'I am away.';
const forward = (to: string): GivenReply => ({ form: 'reply-forward', input: { to } });

test('a loop of two apps that reply to each other ends after 60 messages', async () => {
  const { deliver, telephony } = open({}, text);
  for (let count = 0; count < 60; count += 1) expect(await deliver('sms-received')).toEqual([true]);
  expect(await deliver('sms-received')).toEqual([
    false,
    expect.stringMatching(
      /^The reply to .* was not sent\. The limit "Messages per recipient" \(60 an hour\) is reached\. Nothing was sent\./,
    ),
  ]);
  // Someone else still gets a reply.
  expect(await deliver('sms-received', { From: '+12025550187' })).toEqual([true]);
  expect((await telephony.usage()).messages).toEqual({ lastHour: 61, lastDay: 61 });
});

test.each<[what: string, spending: SpendingLimits, event: string, reply: GivenReply, why: string]>([
  ['an SMS while sending is stopped', { stopped: true }, 'sms-received', text, '"Stop sending" is'],
  ['an SMS to another country', { countries: 'FR' }, 'sms-received', text, '"From" is +'],
  [
    'an SMS of more segments',
    { mostSegments: 1 },
    'sms-received',
    'x'.repeat(161),
    '"Text" takes 2 SMS. "SMS per message" allows 1.',
  ],
  [
    'a forwarded call while sending is stopped',
    { stopped: true },
    'call-received',
    forward('+14155550123'),
    '"Stop sending" is on.',
  ],
  [
    'a call forwarded to another country',
    { countries: 'US' },
    'call-received',
    forward('+442079460000'),
    '"To" is +442079460000, a number of GB.',
  ],
])('refuses %s', async (_, spending, event, reply, why) => {
  const { deliver, telephony } = open(spending, reply);
  expect(await deliver(event)).toEqual([false, expect.stringContaining(why)]);
  expect((await telephony.usage()).messages.lastHour).toBe(0);
});

test('a forwarded call counts as a call', async () => {
  const { deliver, telephony } = open({ callsPerHour: 1 }, forward('+14155550123'));
  expect(await deliver('call-received')).toEqual([true]);
  expect(await deliver('call-received')).toEqual([
    false,
    expect.stringContaining('The limit "Calls per hour" (1) is reached.'),
  ]);
  expect((await telephony.usage()).calls.lastHour).toBe(1);
});

test('a spoken reply costs no call of its own, and does not count', async () => {
  const { deliver, telephony } = open({ stopped: true }, 'We are closed today.');
  expect(await deliver('call-received')).toEqual([false]);
  expect((await telephony.usage()).calls.lastHour).toBe(0);
});

test('an invalid reply does not count', async () => {
  const { deliver, telephony } = open({ perHour: 1 }, { form: 'reply', input: { text: ' ' } });
  expect(await deliver('sms-received')).toEqual([false, expect.stringContaining('Text')]);
  expect((await telephony.usage()).messages.lastHour).toBe(0);
});

test('a reply is not sent if it is unknown whether sending is stopped, and the reason has no secret', async () => {
  const away = new Error('connect ECONNREFUSED postgres://app:secret@db');
  const { deliver } = open({ stopped: () => Promise.reject(away) }, text);
  expect(await deliver('sms-received')).toEqual([
    false,
    expect.stringMatching(/was not sent\. Nothing was sent: the plugin could not use its store/),
  ]);
});

test('replies are not limited without `spending`', async () => {
  const { deliver } = open(undefined, text);
  for (let count = 0; count < 70; count += 1) expect(await deliver('sms-received')).toEqual([true]);
});

test('a reply to an account that `connect` did not return is refused', async () => {
  const said: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    telephony: () => ({}) as never,
    onEvent: () => text,
    onOutcome: ({ message }: EventOutcome) => {
      if (message) said.push(message);
    },
  });
  const { body } = await receive(signedForm(parametersOf('sms-received')));
  expect(body).not.toContain('<Message>');
  expect(said).toEqual([expect.stringContaining('must be one that `connect` returned')]);
});

test.each<[what: string, spending: SpendingLimits, sent: string, row: object]>([
  [
    'skips the sender of one that is the same',
    {},
    text,
    { outcome: 'already-done', isRepeated: true },
  ],
  ['marks the sender of another one', {}, 'Later.', { outcome: 'waiting', isSentSingly: true }],
  ['ignores one that a limit refused', { perHour: 1 }, text, { outcome: 'waiting' }],
])('the preview of a batch knows replies: it %s', async (_, spending, sent, row) => {
  const { deliver, store } = open(spending, text);
  const { From: to = '', To: from = '' } = parametersOf('sms-received');
  // The limit counts the first reply, to someone else.
  if (spending.perHour) await deliver('sms-received', { From: '+12025550187' });
  await deliver('sms-received');
  const action = actionOf('send-sms');
  const item = planRow(action, {
    ...{ row: ['People', 1], name: 'Ada', filled: ['to'] },
    input: () => ({ from, to, body: sent }),
  });
  const press = { owner: 'Ada', actionId: action.id, button: 'all', context: undefined };
  const { items } = await new Batches<undefined>(store).openPreview(press, { items: [item] });
  const { outcome, isRepeated, isSentSingly } = items[0] ?? {};
  expect({ outcome, isRepeated, isSentSingly }).toEqual(row);
});

describe('a reply that is counted before its handler returns it', () => {
  /** Delivers an event to a handler, and resolves to what was sent, and what the usage counts. */
  async function deliver(onEvent: EventOptions['onEvent'], spending: SpendingLimits = {}) {
    const telephony = connect({ ...account, store: memoryStore(), spending });
    const receive = receiveEvents(account, { url: address, telephony: () => telephony, onEvent });
    const { body } = await receive(signedForm(parametersOf('sms-received')));
    return [body.includes('<Message>'), (await telephony.usage()).messages.lastHour];
  }

  test.each<[what: string, onEvent: EventOptions['onEvent'], found: unknown[]]>([
    [
      'counts once',
      async (_, { countReply }) => {
        await countReply(text);
        return text;
      },
      [true, 1],
    ],
    [
      'counts once if it is counted twice',
      async (_, { countReply }) => {
        await countReply(text);
        await countReply(text);
        return text;
      },
      [true, 1],
    ],
    ['does not count if none is returned', (_, { countReply }) => countReply(text), [false, 0]],
    [
      'does not count if the handler fails',
      async (_, { countReply }) => {
        await countReply(text);
        throw new Error('failed');
      },
      [false, 0],
    ],
  ])('%s', async (_, onEvent, found) => {
    expect(await deliver(onEvent)).toEqual(found);
  });

  test('is refused before', async () => {
    let refused: unknown;
    const sent = await deliver(
      async (_, { countReply }) => {
        refused = await errorOf(countReply(text));
      },
      { stopped: true },
    );
    expect([sent, refused]).toEqual([
      [false, 0],
      expect.objectContaining({ code: 'limit-reached' }),
    ]);
  });

  test('is too late after the handler', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const sent = await deliver((_, { countReply }) => {
      late = new Promise((resolve) => setImmediate(() => resolve(errorOf(countReply(text)))));
    });
    expect([sent, await late]).toEqual([[false, 0], expect.objectContaining({ code: 'input' })]);
  });
});

test('a sender with a name gets a reply, although no action sends to it', async () => {
  const { deliver } = open({}, text);
  expect(await deliver('sms-received', { From: 'BANK' })).toEqual([true]);
});
