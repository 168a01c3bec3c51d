import { withoutSecrets } from '../../src/answer/without-secrets.ts';
import { checkSettings } from '../../src/settings/check-settings.ts';
import { account, basic } from './service.ts';

// In Base64 it has all that is written in another way there: a plus sign, a slash and what fills it up.
const password = `a ~'secret'/+&"\\é>~?~~?-[1]{2}^$.*`;
const open = (secret = password) => checkSettings({ ...account, password: secret });
const inBase64 = Buffer.from(password).toString('base64');
const sent = Buffer.from(`${account.username}:${password}`);
const inUrl = encodeURIComponent(password);
const bytes = [...Buffer.from(password)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
const numbers = [...password].map((one) => one.codePointAt(0) ?? 0);

const spellings: [name: string, text: string][] = [
  ['itself', password],
  ['in a URL', inUrl],
  ['in a URL, in small letters', inUrl.replace(/%../g, (one) => one.toLowerCase())],
  ['in a URL, each byte', bytes.join('')],
  ['in a URL within a URL', encodeURIComponent(inUrl)],
  ['in a form', new URLSearchParams([['', password]]).toString().slice(1)],
  ['in JSON', JSON.stringify(password).slice(1, -1)],
  ['in JSON with slashes', JSON.stringify(password).slice(1, -1).replaceAll('/', '\\/')],
  [
    'in JSON by numbers',
    numbers.map((one) => `\\u${one.toString(16).toUpperCase().padStart(4, '0')}`).join(''),
  ],
  [
    'in HTML',
    password
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll('>', '&gt;')
      .replaceAll("'", '&#39;'),
  ],
  ['in XML', password.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('"', '&quot;')],
  ['in HTML by numbers', numbers.map((one) => `&#${one};`).join('')],
  ['in HTML by other numbers', numbers.map((one) => `&#x00${one.toString(16)};`).join('')],
  ['in Base64', inBase64],
  ['in Base64 in a URL', encodeURIComponent(inBase64)],
  ['in Base64 for URLs', Buffer.from(password).toString('base64url')],
  ['as it is sent', sent.toString('base64')],
  ['as it is sent, not filled up', sent.toString('base64').replace(/=+$/, '')],
  ['as it is sent, for URLs', sent.toString('base64url')],
];

test('the password has all that Base64 writes in several ways', () => {
  expect(inBase64).toMatch(/^(?=.*\+)(?=.*\/).*=$/);
});

test.each(spellings)('a secret is not shown %s', (_, spelled) => {
  expect(withoutSecrets(open(), `It is ${spelled}, and ${spelled}.`)).toBe('It is ***, and ***.');
});

const others: [text: unknown, left: string | undefined][] = [
  [`${account.username} is no secret.`, `${account.username} is no secret.`],
  [basic, basic],
  ['', ''],
  [17, undefined],
  [undefined, undefined],
];

test.each(others)('%j is shown as %j', (text, left) => {
  expect(withoutSecrets(open(), text)).toBe(left);
});

test.each<[what: string, password: string, text: string]>([
  [
    'what could be the beginning of one',
    password,
    `${'a%25252520'.repeat(10_000)}${'&#0000'.repeat(10_000)}`,
  ],
  ['backslashes', `${'\\'.repeat(60)}x`, `${'\\'.repeat(90)}y`],
  ['backslashes and letters', `${'a\\'.repeat(60)}x`, `${'a\\\\'.repeat(60)}y`],
])('a long text of %s is read to its end', (_, password, text) => {
  expect(withoutSecrets(open(password), text)).toBe(text);
});

test.each(['two \\\\ of them', 'a 😀'])('a secret such as %j is not shown in JSON', (password) => {
  const json = JSON.stringify(password).slice(1, -1);
  const numbered = json.replaceAll('😀', '\\ud83d\\ude00');
  for (const text of [password, json, numbered])
    expect(withoutSecrets(open(password), `It is ${text}.`)).toBe('It is ***.');
});
