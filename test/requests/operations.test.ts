import { connect, definitions, operations } from '../../src/builder.ts';
import { type Exchange, fixtures } from './fixtures.ts';
import { account, answerWith, basic, isolate, telephony } from './service.ts';

isolate();

const { version } = definitions.manifest;
const headers = {
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br',
  authorization: basic,
  host: 'service.test',
  'user-agent': `telephony-plugin/${version}`,
};

const wireHeaders = ({ method, body }: Exchange['request']) =>
  method !== 'POST'
    ? headers
    : {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      };

test('every operation has a fixture', () => {
  const ids = operations.map(({ id }) => id);
  expect(fixtures.map(([id]) => id)).toEqual(ids.sort());
});

test.each(fixtures)('%s sends exactly its request and returns its result', async (id, fixture) => {
  const exchanges = [fixture, ...(fixture.further ?? [])];
  const sent = answerWith(exchanges.map(({ answer }) => answer));

  const result = await telephony().run(id, fixture.input);

  expect(sent).toEqual(
    exchanges.map(({ request }) => ({ ...request, headers: wireHeaders(request) })),
  );
  expect(JSON.parse(JSON.stringify(result))).toEqual(fixture.result);
});

const address = 'https://app.example.com/events#rc=2&rp=ct,5xx';
const encoded = 'https%3A%2F%2Fapp.example.com%2Fevents%23rc%3D2%26rp%3Dct%2C5xx';
const reportedTo: Record<string, string> = {
  'send-a-message': `&StatusCallback=${encoded}`,
  'make-a-call': `&StatusCallback=${encoded}&StatusCallbackEvent=ringing&StatusCallbackEvent=answered&StatusCallbackEvent=completed`,
  'send-sms': `&StatusCallback=${encoded}`,
  'send-a-template': `&StatusCallback=${encoded}`,
  'create-a-call-recording': `RecordingStatusCallback=${encoded}`,
};

test.each(fixtures)(
  '%s requests a status callback if it supports one and the account has a webhook URL',
  async (id, fixture) => {
    const exchanges = [fixture, ...(fixture.further ?? [])];
    const sent = answerWith(exchanges.map(({ answer }) => answer));
    await connect({ ...account, statusCallback: address }).run(id, fixture.input);
    expect(sent.map(({ body }) => body)).toEqual(
      exchanges.map(({ request }) => request.body + (reportedTo[id] ?? '')),
    );
  },
);

test('a pasted webhook URL is sent without the blanks and line breaks around it', async () => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  const input = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
  await connect({ ...account, statusCallback: `\u200b ${address}\r\n` }).run('send-sms', input);
  const sentTo = sent.map(({ body }) => new URLSearchParams(body).get('StatusCallback'));
  expect(sentTo).toEqual([address]);
  expect(() => connect({ ...account, statusCallback: address.replace('.', '.\n') })).toThrow(
    'The public URL must be a URL such as https://app.example.com/events.',
  );
});

test('a webhook URL can have options behind a port', () => {
  const withPort = 'https://app.example.com:8443#rc=2&rp=ct,5xx';
  expect(() => connect({ ...account, statusCallback: withPort })).not.toThrow();
});

test('a webhook URL must be one that the service can call', () => {
  expect(() => connect({ ...account, statusCallback: 'http://app.example.com/events' })).toThrow(
    'The public URL must start with https://.',
  );
});
