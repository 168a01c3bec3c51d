import { ACCOUNT_NUMBERS } from '../../demo/sandbox/index.ts';
import { errorPayload, get, pathOf, post, sandboxFor } from './client.ts';

const bought = 'Mon, 02 Mar 2026 09:00:00 +0000';
const { main, support } = ACCOUNT_NUMBERS;

test('the sandbox lists the numbers of the account', async () => {
  const sandbox = await sandboxFor();
  const path = pathOf(sandbox, '/IncomingPhoneNumbers');
  const { body } = await get(sandbox, '/IncomingPhoneNumbers.json');
  expect(body).toEqual({
    incoming_phone_numbers: [main, support].map(({ sid, number, name }) => ({
      sid,
      account_sid: sandbox.username,
      friendly_name: name,
      phone_number: number,
      capabilities: { mms: true, sms: true, voice: true, fax: false },
      date_created: bought,
      date_updated: bought,
      address_requirements: 'none',
      address_sid: null,
      api_version: '2010-04-01',
      beta: false,
      bundle_sid: null,
      identity_sid: null,
      origin: 'twilio',
      sms_application_sid: '',
      sms_method: 'POST',
      sms_url: '',
      status_callback: '',
      status_callback_method: 'POST',
      status: 'in-use',
      trunk_sid: null,
      type: 'local',
      uri: `${path}/${sid}.json`,
      voice_application_sid: '',
      voice_method: 'POST',
      voice_url: '',
    })),
    ...{ page: 0, page_size: 50, start: 0, end: 1 },
    uri: `${path}.json?PageSize=50&Page=0`,
    first_page_uri: `${path}.json?PageSize=50&Page=0`,
    next_page_uri: null,
    previous_page_uri: null,
  });
});

test.each([
  [support.number, [support.sid]],
  ['+12025550143', []],
])('the sandbox lists the account’s numbers that are %s', async (number, sids) => {
  const sandbox = await sandboxFor();
  const query = new URLSearchParams({ PhoneNumber: number });
  const { body } = await get(sandbox, `/IncomingPhoneNumbers.json?${query}`);
  expect(body.incoming_phone_numbers.map(({ sid }: { sid: string }) => sid)).toEqual(sids);
});

test('the sandbox sets the webhook URLs that are given, and uses them', async () => {
  const sandbox = await sandboxFor();
  const path = `/IncomingPhoneNumbers/${main.sid}.json`;
  const app = 'http://127.0.0.1:9/events';
  await post(sandbox, path, { SmsUrl: app, VoiceUrl: app, SmsMethod: 'POST' });
  const { status, body } = await post(sandbox, path, { VoiceUrl: '' });
  expect([status, body.sms_url, body.voice_url]).toEqual([200, app, '']);
  sandbox.receiveMessage({ from: '+12025550143', to: main.number, body: 'Hi' });
  sandbox.receiveMessage({ from: '+12025550143', to: support.number, body: 'Hi' });
  await sandbox.events.settled();
  expect(sandbox.events.log.map(({ url }) => url)).toEqual([app]);
  await post(sandbox, path, { SmsApplicationSid: 'MG1' });
  sandbox.receiveMessage({ from: '+12025550143', to: main.number, body: 'Hi' });
  await sandbox.events.settled();
  expect(sandbox.events.log).toHaveLength(1);
});

test('the sandbox finds no number that the account does not have', async () => {
  const sandbox = await sandboxFor();
  const path = pathOf(sandbox, '/IncomingPhoneNumbers/PN1.json');
  expect(await post(sandbox, '/IncomingPhoneNumbers/PN1.json')).toEqual(
    errorPayload(20404, 404, `The requested resource ${path} was not found`),
  );
});
