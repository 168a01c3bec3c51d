import axios from 'axios';
import { connect, type TelephonyError } from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';
import { rawService, refused, writes } from './faulty-services.ts';
import { leaks, shown } from './leaks.ts';
import { answer } from './raw-server.ts';
import { account, basic, skipRetryWaits, sms, telephonyAt } from './service.ts';

const { password } = account;

test('the leak check finds credentials in an error', async () => {
  const service = await refused();
  const auth = { username: account.username, password };
  const { config } = await axios.get(service.url, { auth, proxy: false }).catch((error) => error);
  expect(leaks(Object.assign(new Error('x'), { config }))).toEqual([password]);
  expect(leaks(new Error(`Basic ${basic}`))).toEqual([basic]);
  expect(leaks(new Error('x', { cause: new Error(password) }))).toEqual([password]);
});

// Every part of a response that an error can show, also where the plugin shortens it.
const echoes: [name: string, bytes: Buffer][] = [
  ...[password, basic, `${account.username}:${password}`].flatMap((secret): [string, Buffer][] => [
    ['a message', answer(400, JSON.stringify({ message: `You are ${secret}.` }))],
    ['a detail', answer(500, JSON.stringify({ detail: secret }))],
    ['a title', answer(403, JSON.stringify({ title: secret }))],
    ['a list of errors', answer(422, JSON.stringify({ errors: [{ message: secret }] }))],
    ['a code', answer(400, JSON.stringify({ code: secret }))],
    ['a code with an explanation', answer(400, JSON.stringify({ code: 21211, message: secret }))],
    ['a request id', answer(404, '', { 'Twilio-Request-Id': secret })],
    ['a request id of a success', answer(200, '<html>', { 'Twilio-Request-Id': secret })],
    ['a Retry-After header', answer(429, '', { 'Retry-After': secret })],
    ['a redirect URL', answer(302, '', { Location: `http://${secret}@127.0.0.1/` })],
    ['a status line', Buffer.from(`HTTP/1.1 400 ${secret}\r\nContent-Length: 0\r\n\r\n`)],
    ['an answer that is not HTTP', Buffer.from(`${secret}\r\n\r\n`)],
    ['a page', answer(502, `<html>${secret}</html>`)],
    ['an unreadable answer', answer(200, secret)],
    [
      'a next page',
      answer(200, JSON.stringify({ calls: [], next_page_uri: `http://${secret}@x/` })),
    ],
    [
      'a next page that is a list',
      answer(200, JSON.stringify({ calls: [], next_page_uri: [secret] })),
    ],
  ]),
  ...Array.from({ length: 24 }, (_, cut): [string, Buffer] => [
    `a message cut after ${cut} characters of the secret`,
    answer(400, JSON.stringify({ message: `${'x'.repeat(299 - cut)}${password}` })),
  ]),
];

afterEach(() => jest.restoreAllMocks());

test.each(echoes)('a secret echoed in %s is masked', async (_, bytes) => {
  skipRetryWaits();
  const service = await rawService(writes(bytes))();
  const telephony = telephonyAt(service.url, {
    maxAttempts: 2,
    idleTimeoutMs: 2_000,
    confirmTimeoutMs: 0,
  });
  const found = [
    await errorOf(telephony.run('account-calls', {})),
    await errorOf(telephony.run('send-sms', sms)),
  ];
  for (const error of found) {
    expect(leaks(error)).toEqual([]);
    // Not even half of it.
    expect(shown(error)).not.toContain(password.slice(0, 8));
  }
});

const inUrl = (text: string) => encodeURIComponent(text);
const inForm = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['a URL', inUrl],
  ['a form', inForm],
  ['base64', inBase64],
  ['base64 in a URL', (text: string) => inUrl(inBase64(text))],
])('a secret echoed in the spelling of %s is masked', async (_, spell) => {
  const core = 'Open5aSesame';
  const special = `5/+&"<${core}>'= 5`;
  const message = `You are ${spell(special)}, or ${spell(`${account.username}:${special}`)}.`;
  const bytes = answer(400, JSON.stringify({ message }), { 'Twilio-Request-Id': spell(special) });
  const { url: baseUrl } = await rawService(writes(bytes))();
  const error = await errorOf(
    connect({ ...account, password: special, baseUrl }).run('send-sms', sms),
  );
  expect(shown(error)).toContain('You are ***, or');
  for (const spelt of [core, spell(special), inBase64(core).slice(0, 12)])
    expect(shown(error)).not.toContain(spelt);
});

const thrown = (work: () => unknown): TelephonyError => {
  try {
    work();
  } catch (error) {
    return error as TelephonyError;
  }
  throw new Error('Nothing was thrown.');
};

test.each<[name: string, settings: object]>([
  ['of two lines', { password: `${password}\n${password}` }],
  ['that is too long', { password: password.repeat(20) }],
  ['that is a list', { password: [password] }],
  ['in the base URL', { baseUrl: `https://me:${password}@x.invalid` }],
  ['as the base URL', { baseUrl: password }],
  ['as the account SID', { accountSid: `${password}/` }],
  ['in a username with a colon', { username: `AC1:${password}` }],
])('a password %s is not in the settings error', (_, settings) => {
  const error = thrown(() => connect({ ...account, ...settings }));
  expect(error.code).toBe('settings');
  expect(leaks(error)).toEqual([]);
});

test('a connected account hides its secrets from inspection', async () => {
  const telephony = telephonyAt('http://127.0.0.1:1');
  const pages = telephony.pages('account-calls', {});
  expect([telephony, pages, telephony.run].map(leaks)).toEqual([[], [], []]);
});
