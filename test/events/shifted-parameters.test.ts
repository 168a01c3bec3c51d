import { setImmediate } from 'node:timers/promises';
import {
  type DeliveryLog,
  memoryDeliveryLog,
  receiveEvents,
  type WebhookRequest,
} from '../../src/builder.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, type Parameters, signedForm } from './signed.ts';

type Delivered = { id: string; record: { sid: string } };

function open(
  handle: (event: Delivered) => unknown = () => {},
  memory: DeliveryLog = memoryDeliveryLog(),
) {
  const delivered: string[] = [];
  const outcomes: string[] = [];
  const receive = receiveEvents(account, {
    ...{ url: address, deliveryLog: memory },
    async onEvent(event) {
      await handle(event as Delivered);
      delivered.push(`${event.id} ${event.record.sid}`);
    },
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  });
  return { receive, delivered, outcomes };
}

/** A request whose parameters differ from the signed ones, but are the same text without separators. */
function split(request: WebhookRequest, parameters: Parameters): WebhookRequest {
  const shifted = signedForm(parameters);
  expect(shifted.headers['x-twilio-signature']).toBe(request.headers['x-twilio-signature']);
  return { ...request, body: shifted.body };
}

const { Body: _, ...sms } = parametersOf('sms-received');
const received = { ...sms, Body: 'hi', MessageSid: 'SM1', SmsSid: 'SM1' };
const other = { ...received, MessageSid: 'SM1MessageSidXy' };
const event = signedForm(received);
/** The same event with one more parameter, and so with another signature. */
const again = signedForm({ ...received, MessageSidX: 'y' });
const status = { ...parametersOf('message-status'), MessageSid: 'SM1', SmsSid: 'SM1' };
const sent = { ...status, MessageStatus: 'sent', SmsStatus: 'sent' };
const late = signedForm({ ...sent, MessageSidX: 'y' });
const unknown = signedForm({ ...sms, BodyX: 'hi' });
const elsewhere = { ...received, AccountSid: `${account.username}AddOnsx` };
const joined = signedForm({ ...received, Body: 'hiBodyho' });

interface Split {
  name: string;
  before: WebhookRequest[];
  forged: WebhookRequest;
  responses: number[];
  delivered: string[];
  outcomes: string[];
}

const splits: Split[] = [
  {
    name: 'a late request',
    before: [signedForm(status), late],
    forged: split(late, { ...sent, MessageSid: 'SM1MessageSidXy' }),
    responses: [200, 200, 200],
    delivered: ['message-status SM1'],
    outcomes: ['delivered', 'stale', 'duplicate'],
  },
  {
    name: 'a request that is no event',
    before: [unknown],
    forged: split(unknown, { ...sms, Body: 'Xhi' }),
    responses: [200, 200],
    delivered: [],
    outcomes: ['other', 'duplicate'],
  },
  {
    name: 'a repeated event',
    before: [event, again],
    forged: split(again, other),
    responses: [200, 200, 200],
    delivered: ['sms-received SM1'],
    outcomes: ['delivered', 'duplicate', 'duplicate'],
  },
  {
    name: 'an event of another account',
    before: [signedForm(elsewhere)],
    forged: split(signedForm(elsewhere), {
      ...received,
      ...{ AccountSid: account.username, AddOns: 'x' },
    }),
    responses: [403, 200],
    delivered: [],
    outcomes: ['refused', 'duplicate'],
  },
  {
    name: 'a parameter that came twice',
    before: [{ ...joined, body: String(joined.body).replace('hiBodyho', 'hi&Body=ho') }],
    forged: joined,
    responses: [403, 200],
    delivered: [],
    outcomes: ['refused', 'duplicate'],
  },
];

test.each(splits)('delivers no event forged from $name', async (given) => {
  const { receive, delivered, outcomes } = open();
  const responses: number[] = [];
  for (const request of [...given.before, given.forged])
    responses.push((await receive(request)).status);
  expect({ responses, delivered, outcomes }).toEqual({
    responses: given.responses,
    delivered: given.delivered,
    outcomes: given.outcomes,
  });
});

const signedFor = (url: string) => signedForm(received, { url });
const asGet = (search: string) => ({ ...signedForm({}, { url: address + search }), method: 'GET' });
const smuggled = `Body=hi${Object.entries(received).sort().flat().join('')}`;

/** Requests that the service signed for another URL, of which the webhook URL is only the beginning. */
const signedElsewhere: [name: string, before: WebhookRequest, first: Parameters][] = [
  ['a request for another query', signedFor(`${address}?hook=2`), { '?hook': '=2' }],
  ['a request for the webhook URL of another account', signedFor(`${address}-2`), { '-2': '' }],
  ['a request for a path below', signedFor(`${address}/sms`), { '/sms': '' }],
  ['a request for a numbered sibling', signedFor(`${address}2`), { 2: '' }],
  ['a GET whose text contains parameters', asGet(`?${smuggled}`), { '?Body': '=hi' }],
];

test.each(signedElsewhere)('delivers no event made of %s', async (_name, before, first) => {
  const { receive, delivered, outcomes } = open();
  await receive(before);
  outcomes.length = 0;
  const forged = { ...split(before, { ...first, ...received }), method: 'POST', url: '/events' };
  expect(await receive(forged)).toMatchObject({ status: 403 });
  expect({ delivered, outcomes }).toEqual({ delivered: [], outcomes: ['refused'] });
});

test('delivers no event forged from a repeat during the delivery', async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { receive, delivered } = open(({ record }) => (record.sid === 'SM1' ? held : undefined));
  const first = receive(event);
  await setImmediate();
  const second = receive(again);
  await setImmediate();
  expect(await receive(split(again, other))).toMatchObject({ status: 503 });
  finish();
  expect(await Promise.all([first, second])).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(await receive(split(again, other))).toMatchObject({ status: 200 });
  expect(delivered).toEqual(['sms-received SM1']);
});

test('delivers an event again after its handler failed, and none forged from it', async () => {
  let failures = 1;
  const { receive, delivered } = open(() => {
    failures -= 1;
    if (failures >= 0) throw new Error('The app is away.');
  });
  expect(await receive(again)).toMatchObject({ status: 500 });
  expect(await receive(split(again, other))).toMatchObject({ status: 200 });
  expect(delivered).toEqual([]);
  expect(await receive(again)).toMatchObject({ status: 200 });
  expect(delivered).toEqual(['sms-received SM1']);
});

test('asks the service for a retry if the signature cannot be recorded', async () => {
  const broken: DeliveryLog = {
    ...memoryDeliveryLog(),
    begin: async () => {
      throw new Error('The disk is full.');
    },
  };
  expect(await open(() => {}, broken).receive(unknown)).toMatchObject({ status: 500 });
});
