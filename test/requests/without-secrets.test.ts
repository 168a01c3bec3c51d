import { withoutSecrets } from '../../src/response/without-secrets.ts';
import { checkSettings } from '../../src/settings/check-settings.ts';
import { account, basic } from './service.ts';

// Its Base64 has all characters that differ between variants: a plus sign, a slash and padding.
const password = `a ~'secret'/+&"\\é>~?~~?-[1]{2}^$.*`;
const open = (secret = password) => checkSettings({ ...account, password: secret });
const inBase64 = Buffer.from(password).toString('base64');
const sent = Buffer.from(`${account.username}:${password}`);
const inUrl = encodeURIComponent(password);
const bytes = [...Buffer.from(password)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
const numbers = [...password].map((one) => one.codePointAt(0) ?? 0);

const spellings: [name: string, text: string][] = [
  ['in plain text', password],
  ['in a URL', inUrl],
  ['in a URL, in lower case', inUrl.replace(/%../g, (one) => one.toLowerCase())],
  ['in a URL, each byte', bytes.join('')],
  ['in a URL within a URL', encodeURIComponent(inUrl)],
  ['in a form', new URLSearchParams([['', password]]).toString().slice(1)],
  ['in JSON', JSON.stringify(password).slice(1, -1)],
  ['in JSON with slashes', JSON.stringify(password).slice(1, -1).replaceAll('/', '\\/')],
  [
    'in JSON by Unicode escapes',
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
  ['in HTML by decimal codes', numbers.map((one) => `&#${one};`).join('')],
  ['in HTML by hexadecimal codes', numbers.map((one) => `&#x00${one.toString(16)};`).join('')],
  ['in Base64', inBase64],
  ['in Base64 in a URL', encodeURIComponent(inBase64)],
  ['in Base64 for URLs', Buffer.from(password).toString('base64url')],
  ['in an Authorization header', sent.toString('base64')],
  ['in an Authorization header without padding', sent.toString('base64').replace(/=+$/, '')],
  ['in an Authorization header in base64url', sent.toString('base64url')],
];

test('the Base64 text of the password has every character with several spellings', () => {
  expect(inBase64).toMatch(/^(?=.*\+)(?=.*\/).*=$/);
});

test.each(spellings)('a secret is masked %s', (_, spelled) => {
  expect(withoutSecrets(open(), `It is ${spelled}, and ${spelled}.`)).toBe('It is ***, and ***.');
});

const others: [text: unknown, left: string | undefined][] = [
  [`${account.username} is no secret.`, `${account.username} is no secret.`],
  [basic, basic],
  ['', ''],
  [17, undefined],
  [undefined, undefined],
];

test.each(others)('%j becomes %j', (text, left) => {
  expect(withoutSecrets(open(), text)).toBe(left);
});

test.each<[what: string, password: string, text: string]>([
  [
    'starts of encoded secrets',
    password,
    `${'a%25252520'.repeat(10_000)}${'&#0000'.repeat(10_000)}`,
  ],
  ['backslashes', `${'\\'.repeat(60)}x`, `${'\\'.repeat(90)}y`],
  ['backslashes and letters', `${'a\\'.repeat(60)}x`, `${'a\\\\'.repeat(60)}y`],
])('a long text of %s is processed in time', (_, password, text) => {
  expect(withoutSecrets(open(password), text)).toBe(text);
});

test.each(['two \\\\ of them', 'a 😀'])('a secret such as %j is masked in JSON', (password) => {
  const json = JSON.stringify(password).slice(1, -1);
  const numbered = json.replaceAll('😀', '\\ud83d\\ude00');
  for (const text of [password, json, numbered])
    expect(withoutSecrets(open(password), `It is ${text}.`)).toBe('It is ***.');
});
