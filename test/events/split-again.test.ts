import {
  type DeliveryLog,
  memoryDeliveryLog,
  receiveEvents,
  type WebhookRequest,
} from '../../src/builder.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, type Parameters, signedForm } from './signed.ts';

function open(memory: DeliveryLog = memoryDeliveryLog()) {
  const told: string[] = [];
  const reports: string[] = [];
  const receive = receiveEvents(account, {
    ...{ url: address, deliveryLog: memory },
    onEvent: ({ id, record }) => void told.push(`${id} ${record.sid}`),
    onOutcome: ({ outcome }) => void reports.push(outcome),
  });
  return { receive, told, reports };
}

/** A request with other parameters than it was signed with, which are the same text when nothing stands between them. */
function split(request: WebhookRequest, parameters: Parameters): WebhookRequest {
  const made = signedForm(parameters);
  expect(made.headers['x-twilio-signature']).toBe(request.headers['x-twilio-signature']);
  return { ...request, body: made.body };
}

const { Body: _, ...sms } = parametersOf('sms-received');
const status = { ...parametersOf('message-status'), MessageSid: 'SM1', SmsSid: 'SM1' };
const sent = { ...status, MessageStatus: 'sent', SmsStatus: 'sent' };
const late = signedForm({ ...sent, MessageSidX: 'y' });
const fromLate = split(late, { ...sent, MessageSid: 'SM1MessageSidXy' });

test('tells no event that is made of a late request', async () => {
  const { receive, told, reports } = open();
  await receive(signedForm(status));
  expect(await receive(late)).toMatchObject({ status: 200 });
  expect(await receive(fromLate)).toMatchObject({ status: 200 });
  expect(told).toEqual(['message-status SM1']);
  expect(reports).toEqual(['delivered', 'stale', 'duplicate']);
});

const unknown = signedForm({ ...sms, BodyX: 'hi' });
const fromUnknown = split(unknown, { ...sms, Body: 'Xhi' });

test('tells no event that is made of a request that is none', async () => {
  const { receive, told, reports } = open();
  expect(await receive(unknown)).toMatchObject({ status: 200 });
  expect(await receive(fromUnknown)).toMatchObject({ status: 200 });
  expect(told).toEqual([]);
  expect(reports).toEqual(['other', 'duplicate']);
});

test('asks the service to try again when the signature cannot be remembered', async () => {
  const broken: DeliveryLog = {
    ...memoryDeliveryLog(),
    begin: async () => {
      throw new Error('The disk is full.');
    },
  };
  expect(await open(broken).receive(unknown)).toMatchObject({ status: 500 });
});
