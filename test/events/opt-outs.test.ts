import { setImmediate } from 'node:timers/promises';
import {
  actionOf,
  connect,
  type EventOptions,
  hasOptedOut,
  memoryDeliveryLog,
  memoryStore,
  receiveEvents,
  type WebhookRequest,
} from '../../src/builder.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, type Parameters, signedForm } from './signed.ts';

const twiml = (content: string) => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Response${content}`,
});
const received = twiml('/>');
const failed = { status: 500, body: 'Not received' };

const { MessagingServiceSid: pool = '', ...stopped } = parametersOf('opted-out');
const [customer, number] = [stopped.From ?? '', stopped.To ?? ''];
/** An SMS, with a SID of its own. */
const sms = (sid: string, OptOutType?: string, more: Parameters = {}) => {
  const { OptOutType: _, ...message } = stopped;
  return signedForm({
    ...{ ...message, MessageSid: sid, SmsSid: sid, SmsMessageSid: sid },
    ...(OptOutType && { OptOutType }),
    ...more,
  });
};

function open(onEvent: EventOptions['onEvent'] = () => {}, others: Partial<EventOptions> = {}) {
  const store = memoryStore();
  const telephony = connect({ ...account, store });
  const delivered: string[] = [];
  const receive = receiveEvents(account, {
    ...{ url: address, telephony: () => telephony, deliveryLog: memoryDeliveryLog() },
    onEvent(event, context) {
      delivered.push(`${event.id} ${event.record.sid}`);
      return onEvent(event, context);
    },
    ...others,
  });
  /** Whether batches skip the customer. */
  const isOut = (values: object, actionId = 'send-a-message') =>
    hasOptedOut(telephony, actionOf(actionId), { to: customer, from: number, ...values });
  return { receive, delivered, store, isOut };
}

test.each([
  ['STOP', ['sms-received SM1', 'opted-out SM1']],
  ['START', ['sms-received SM1', 'opted-in SM1']],
  ['HELP', ['sms-received SM1']],
  [undefined, ['sms-received SM1']],
])('an SMS with the opt-out type %s is delivered as %j, once each', async (type, events) => {
  const { receive, delivered } = open();
  expect(await receive(sms('SM1', type))).toEqual(received);
  expect(await receive(sms('SM1', type))).toEqual(received);
  // The same SMS with another signature.
  expect(await receive(sms('SM1', type, { ToZip: '1' }))).toEqual(received);
  expect(delivered).toEqual(events);
});

test('the reply is that of SMS received', async () => {
  const { receive } = open(({ id }) => (id === 'sms-received' ? 'Bye' : 'No'));
  expect(await receive(sms('SM1', 'STOP'))).toEqual(twiml('><Message>Bye</Message></Response>'));
});

test('the next event of a request waits for the one before', async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { receive, delivered } = open(({ id }) => (id === 'sms-received' ? held : undefined));
  const response = receive(sms('SM1', 'STOP'));
  await setImmediate();
  expect(delivered).toEqual(['sms-received SM1']);
  finish();
  expect(await response).toEqual(received);
  expect(delivered).toEqual(['sms-received SM1', 'opted-out SM1']);
});

test.each(['sms-received', 'opted-out'])(
  'if %s fails, the service sends the request again, and the app gets only that again',
  async (failing) => {
    let failures = 1;
    const { receive, delivered } = open(({ id }) => {
      if (id === failing && failures-- > 0) throw new Error('The app is away.');
    });
    expect(await receive(sms('SM1', 'STOP'))).toMatchObject(failed);
    expect(delivered).toEqual(['sms-received SM1', 'opted-out SM1']);
    expect(await receive(sms('SM1', 'STOP'))).toEqual(received);
    expect(delivered).toEqual(['sms-received SM1', 'opted-out SM1', `${failing} SM1`]);
  },
);

test('delivers no opt-out forged from an SMS whose text contains one', async () => {
  const { OptOutType: _, ...parameters } = stopped;
  const text = `From+12025550199MessageSidSM9OptOutTypeSTOPToX`;
  const honest = signedForm({ ...parameters, Body: `Hi${text}` });
  const rest = Object.entries(parameters)
    .filter(([name]) => name > 'Body')
    .sort()
    .flat()
    .join('');
  const early = Object.fromEntries(Object.entries(parameters).filter(([name]) => name < 'Body'));
  const shifted = signedForm({
    ...{ ...early, Body: 'Hi', From: '+12025550199', MessageSid: 'SM9', OptOutType: 'STOP' },
    To: `X${rest}`,
  });
  const signature = 'x-twilio-signature';
  expect(shifted.headers[signature]).toBe(honest.headers[signature]);
  const forged: WebhookRequest = { ...honest, body: shifted.body };
  const { receive, delivered, store } = open();
  expect([await receive(honest), await receive(forged)]).toEqual([received, received]);
  expect(delivered).toEqual([`sms-received ${parameters.MessageSid}`]);
  expect(store.entries().filter(([kind]) => kind === 'opt-outs')).toEqual([]);
});

test('knows who opted out of which sender, until they opt in, and stores no number', async () => {
  const { receive, store, isOut } = open();
  expect(await isOut({})).toBe(false);
  await receive(sms('SM1', 'STOP', { MessagingServiceSid: pool }));
  expect(JSON.stringify(store.entries())).not.toContain(customer.slice(1));
  const known = {
    number: await isOut({}),
    pool: await isOut({ from: undefined, messagingServiceSid: pool }),
    otherNumber: await isOut({ from: '+14155550199' }),
    otherPool: await isOut({ from: undefined, messagingServiceSid: 'MG9' }),
    otherRecipient: await isOut({ to: '+12025550144' }),
    channel: await isOut({ to: `whatsapp:${customer}`, from: `whatsapp:${number}` }),
    noSender: await isOut({ from: undefined }),
    call: await isOut({}, 'make-a-call'),
  };
  expect(known).toEqual({
    ...{ number: true, pool: true, otherNumber: false, otherPool: false, otherRecipient: false },
    ...{ channel: false, noSender: false, call: false },
  });
  await receive(sms('SM2', 'START', { MessagingServiceSid: pool }));
  expect(await isOut({})).toBe(false);
});

test('a STOP that the service repeats after a START changes nothing', async () => {
  let failures = 1;
  const { receive, isOut } = open(({ id }) => {
    if (id === 'opted-out' && failures-- > 0) throw new Error('The app is away.');
  });
  expect(await receive(sms('SM1', 'STOP'))).toMatchObject(failed);
  await receive(sms('SM2', 'START'));
  expect(await receive(sms('SM1', 'STOP'))).toEqual(received);
  expect(await isOut({})).toBe(false);
  await receive(sms('SM3', 'STOP'));
  expect(await isOut({})).toBe(true);
});

test('an opt-out that cannot be stored is sent again', async () => {
  const store = memoryStore();
  let isAway = true;
  const insert: typeof store.insert = async (kind, entry) => {
    if (isAway && kind === 'opt-outs') throw new Error('The disk is full.');
    return store.insert(kind, entry);
  };
  const telephony = connect({ ...account, store: { ...store, insert } });
  const { receive, delivered } = open(() => {}, { telephony: () => telephony });
  expect(await receive(sms('SM1', 'STOP'))).toMatchObject(failed);
  isAway = false;
  expect(await receive(sms('SM1', 'STOP'))).toEqual(received);
  expect(delivered).toEqual(['sms-received SM1', 'opted-out SM1']);
});

const { MessageStatus: _, ...report } = parametersOf('message-status');
test.each([
  ['21610', true],
  ['30006', false],
])('a message that fails with %s: its recipient opted out: %j', async (ErrorCode, isKnown) => {
  const { receive, isOut } = open();
  const ends = { From: number, To: customer };
  await receive(signedForm({ ...report, ...ends, MessageStatus: 'failed', ErrorCode }));
  expect(await isOut({})).toBe(isKnown);
});

test('an event whose wish the store is slow to note is sent again, and reaches the app once', async () => {
  const { receive, delivered, store, isOut } = open(undefined, { timeoutMs: 200 });
  const { insert } = store;
  let end = () => {};
  const slow = new Promise<void>((resolve) => {
    end = resolve;
  });
  store.insert = async (kind, entry) => {
    await slow;
    return insert(kind, entry);
  };
  expect(await receive(sms('SM1', 'STOP'))).toMatchObject({ status: 503 });
  expect(delivered).not.toContain('opted-out SM1');
  end();
  await setImmediate();
  expect(await receive(sms('SM1', 'STOP'))).toEqual(received);
  expect(delivered).toEqual(['sms-received SM1', 'opted-out SM1']);
  expect(await isOut({})).toBe(true);
});
