import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { signForm, signJson } from '../../demo/sandbox/signature.ts';
import { eventReader, type WebhookRequest } from '../../src/builder.ts';
import { account, address, type Parameters, pairsOf, signedForm, signedJson } from './signed.ts';

interface Vector {
  token: string;
  address: string;
  parameters?: [name: string, value: string][];
  json?: string;
  signature: string;
}

/** Random requests, signed by the service's official client, `twilio` 6.2.0 on npm. */
const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(resolve(__dirname, 'official/signatures.json'), 'utf8'),
);

/** Builds a request without the plugin's own signer. */
function requestOf({ token, address: url, parameters, json, signature }: Vector) {
  const signed =
    json === undefined
      ? signedForm(parameters ?? [], { token, url })
      : signedJson(json, { token, url });
  return { ...signed, headers: { ...signed.headers, 'x-twilio-signature': signature } };
}

const readBy = (token: string, url: string) =>
  eventReader({ ...account, password: token }, { url });
const refused = { outcome: 'refused', reason: 'signature' };

/** The plugin accepts http only for this machine. */
const reachable = vectors.filter(
  ({ address: url }) => url.startsWith('https') || url.includes('127'),
);

test('enough signatures of the official client are for reachable URLs', () => {
  expect(reachable.length).toBeGreaterThan(90);
});

test.each(reachable.map((vector, index) => [index, vector.address, vector] as const))(
  'accepts signature %d of the official client, for %s',
  (_, url, vector) => {
    const { outcome } = readBy(vector.token, url)(requestOf(vector));
    const changed = { ...vector, token: `${vector.token}0` };
    // Some belong to another account or to none. None is refused because of its signature.
    expect(readBy(vector.token, url)(requestOf(vector))).not.toEqual(refused);
    expect(readBy(changed.token, url)(requestOf(vector))).toEqual(refused);
    expect(['event', 'other', 'refused']).toContain(outcome);
  },
);

test.each(vectors.map((vector, index) => [index, vector] as const))(
  'signs in the sandbox as the official client does: %d',
  (_, { token, address: url, parameters = [], json, signature }) => {
    const ours =
      json === undefined ? signForm(token, url, parameters) : signJson(token, url, json).signature;
    expect(ours).toBe(signature);
  },
);

// From the service's documentation of webhooks and the tests of its official client.
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const call = {
  ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234' },
  ...{ From: '+14158675309', To: '+18005551212' },
};
const body = '{"property": "value", "boolean": true}';

const documented: [what: string, url: string, signature: string, sent: Parameters | string][] = [
  ['a form', url, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=', call],
  [
    'a form, signed without the port of the address',
    url.replace('.com', '.com:1234'),
    'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    call,
  ],
  ['a form, signed with the standard port', url, 'kvajT1Ptam85bY51eRf/AJRuM3w=', call],
  ['JSON', url, 'a9nBmqA0ju/hNViExpshrM61xv4=', body],
  ['empty JSON', url, 'Ldidvp12m26NI7eqEvxnEpkd9Hc=', '{}'],
  [
    'JSON for an address without a query',
    'https://mycompany.com/myapp.php',
    'y77kIzt2vzLz71DgmJGsen2scGs=',
    body,
  ],
  ['a query with an apostrophe', `${url}&Body=It's+amazing`, 'dsq4Ehbj6cs+KdTkpF5sSSplOWw=', call],
  [
    'a parameter with two values',
    url,
    '83O6e2vORAoJHUNzJjDWN1jz+BA=',
    { 'MessagingBinding.Address': ['+1415xxxxxxx', '+1325xxxxxxx'] },
  ],
  [
    'a parameter with a repeated value',
    url,
    'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
    { Sid: 'CA123', SidAccount: 'AC123', Digits: ['5678', '1234', '1234'] },
  ],
];

test.each(documented)('accepts the documented signature of %s', (_, called, signature, sent) => {
  const token = '12345';
  const signed =
    typeof sent === 'string'
      ? signedJson(sent, { token, url: called })
      : signedForm(sent, { token, url: called });
  const request = { ...signed, headers: { ...signed.headers, 'x-twilio-signature': signature } };
  expect(readBy(token, called)(request)).toEqual({ outcome: 'other' });
  expect(readBy('12346', called)(request)).toEqual(refused);
});

const sms = {
  ...{ MessageSid: 'SM1', SmsStatus: 'received', AccountSid: account.username },
  ...{ From: '+12025550143', To: '+14155550100', Body: 'Hello' },
};
const reader = eventReader(account, { url: address });
const receivedAt = new Date('2026-11-20T23:30:00Z');
const read = (request: WebhookRequest) => reader(request, receivedAt);

test.each([
  [address, 'https://app.example.com:443/telephony/events'],
  ['https://app.example.com:443/telephony/events', address],
  ['https://app.example.com:8443/telephony/events', address],
  ['https://app.example.com:8443/e', 'https://app.example.com:8443/e'],
  ['https://APP.example.com/e', 'https://app.example.com/e'],
  ['http://127.0.0.1:1880/e', 'http://127.0.0.1/e'],
  ['https://[2001:db8::1]/e', 'https://[2001:db8::1]:443/e'],
  ['https://app.example.com/e?app=7', 'https://app.example.com/e?app=7'],
  [' https://app.example.com/e ', 'https://app.example.com/e'],
])('accepts, with the URL %s, a signature for %s', (entered, signedFor) => {
  const request = signedForm(sms, { url: signedFor });
  expect(eventReader(account, { url: entered })(request)).toMatchObject({ outcome: 'event' });
});

test('accepts bytes and any local URL from a builder', () => {
  const request = signedForm(sms);
  for (const seen of [undefined, '/', '/behind/a/proxy', 'http://10.0.0.5/events'])
    expect(read({ ...request, url: seen, body: Buffer.from(String(request.body)) })).toMatchObject({
      outcome: 'event',
    });
});

test('ignores the forwarding headers of a proxy', () => {
  const elsewhere = signedForm(sms, { url: 'https://elsewhere.example/telephony/events' });
  const headers = {
    ...{ host: 'elsewhere.example', forwarded: 'host=elsewhere.example;proto=https' },
    ...{ 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https' },
    ...{ 'x-original-url': '/telephony/events', 'x-forwarded-port': '443' },
  };
  expect(read({ ...elsewhere, headers: { ...elsewhere.headers, ...headers } })).toEqual(refused);
  expect(
    read({ ...signedForm(sms), headers: { ...headers, ...signedForm(sms).headers } }),
  ).toMatchObject({ outcome: 'event' });
});

test('reads a parsed form with lists of values as the same event', () => {
  const lists = Object.fromEntries(pairsOf(sms).map(([name, value]) => [name, [value]]));
  expect(read({ ...signedForm(sms), body: lists })).toEqual(read(signedForm(sms)));
});

test.each([
  ['', 'url', 'must be a URL such as https://app.example.com/events.'],
  ['app.example.com/e', 'url', 'must be a URL such as https://app.example.com/events.'],
  ['https:app.example.com/e', 'url', 'must be a URL such as https://app.example.com/events.'],
  ['http://app.example.com/e', 'url', 'must start with https://.'],
  ['ftp://app.example.com/e', 'url', 'must start with https://.'],
  ['https://me:secret@app.example.com/e', 'url', 'must not contain credentials or "#".'],
  ['https://app.example.com/e#rc=2', 'url', 'must not contain credentials or "#".'],
])('refuses the webhook URL %j', (entered, field, sentence) => {
  expect(() => eventReader(account, { url: entered })).toThrow(
    expect.objectContaining({
      ...{ name: 'TelephonyError', code: 'settings', field },
      message: `The public URL ${sentence}`,
    }),
  );
});

const apiKey = {
  ...{ username: 'SK00000000000000000000000000000001', password: 'secret-of-a-key' },
  accountSid: account.username,
};
const authToken = account.password;

test.each([undefined, null, '', ' \n', '\u200b'])(
  'requires the Auth Token with an API key, whose secret signs no webhooks: %j',
  (missing) => {
    expect(() => eventReader(apiKey, { url: address, authToken: missing })).toThrow(
      expect.objectContaining({
        ...{ name: 'TelephonyError', code: 'settings', field: 'authToken' },
        message:
          "Enter the Auth Token to receive events with an API key: the service signs webhooks with the Auth Token, not with the API key's secret.",
      }),
    );
    const withToken = eventReader(apiKey, { url: address, authToken });
    expect(withToken(signedForm(sms))).toMatchObject({ outcome: 'event' });
    expect(withToken(signedForm(sms, { token: apiKey.password }))).toEqual(refused);
  },
);

test.each([`${authToken}\r\n`, ` ${authToken}\t`, `\ufeff${authToken}\u200b`])(
  'accepts the requests that the pasted Auth Token %j signs',
  (pasted) => {
    const reader = eventReader(apiKey, { url: ` ${address}\n`, authToken: pasted });
    expect(reader(signedForm(sms))).toMatchObject({ outcome: 'event' });
  },
);

test('accepts the signing key of a service that has one', () => {
  const token = 'PSK_of_another_kind';
  const withKey = eventReader(account, { url: address, authToken: token });
  const { 'x-twilio-signature': signature, ...headers } = signedForm(sms, { token }).headers;
  for (const name of ['x-twilio-signature', 'x-signalwire-signature'])
    expect(withKey({ ...signedForm(sms), headers: { ...headers, [name]: signature } })).toEqual(
      expect.objectContaining({ outcome: 'event' }),
    );
  expect(withKey(signedForm(sms))).toEqual(refused);
  // The service's own header has precedence.
  const both = { ...headers, 'x-twilio-signature': 'x', 'x-signalwire-signature': signature };
  expect(withKey({ ...signedForm(sms), headers: both })).toEqual(refused);
});

test('accepts events of a subaccount by its own Auth Token', () => {
  const sub = { ...account, accountSid: 'AC00000000000000000000000000000002' };
  expect(() => eventReader(sub, { url: address })).toThrow(
    expect.objectContaining({
      ...{ code: 'settings', field: 'authToken' },
      message:
        "Enter the Auth Token to receive events of a subaccount: the service signs its webhooks with the subaccount's own Auth Token, not with that of the main account.",
    }),
  );
  const token = 'token-of-the-subaccount';
  const ours = eventReader(sub, { url: address, authToken: token });
  expect(ours(signedForm({ ...sms, AccountSid: sub.accountSid }, { token }))).toMatchObject({
    outcome: 'event',
  });
  expect(ours(signedForm({ ...sms, AccountSid: sub.accountSid }))).toEqual(refused);
  expect(ours(signedForm(sms, { token }))).toEqual({
    ...{ outcome: 'refused', reason: 'account', isSigned: true },
  });
});

test('reports incomplete settings like any other request', () => {
  expect(() => eventReader({ ...account, password: '' }, { url: address })).toThrow(
    `"password" in the settings is empty. Enter it first.`,
  );
});
