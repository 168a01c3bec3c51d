import { oncePer } from '../async/once.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';

/** The secrets that no text for people may contain. */
export type Credentials = Pick<CheckedSettings, 'username' | 'password'>;

const htmlEntities: Record<string, string> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const inUrl = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);

const inJson = (character: string) =>
  character
    .split('')
    .map((unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

function inHtml(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = htmlEntities[character];
  return `&#(?:0*${code}|x0*${code.toString(16)});${name ? `|&${name};` : ''}`;
}

function literal(character: string): string {
  if (character === ' ') return '[ +]';
  return `${/["'/]/.test(character) ? '\\\\?' : ''}${escapeRegExp(character)}`;
}

/** A pattern for a character, literal and as encoded in a URL, a form, JSON or HTML. */
const anyEncoding = (character: string, unencoded = literal(character)): string =>
  `(?:${unencoded}|${inUrl(character).join('')}|${inJson(character)}|${inHtml(character)})`;

const anyEncodingOf = (text: string) => [...text].map((one) => anyEncoding(one)).join('');

// Doubles all backslashes or none. If each could be single or double, the regular expression would backtrack exponentially.
const withDoubledBackslashes = (text: string) =>
  [...text].map((one) => (one === '\\' ? anyEncoding(one, '\\\\{2}') : anyEncoding(one))).join('');

/** A pattern for the Base64 or Base64url encoding of a text, with or without padding. */
function inBase64(text: string): string {
  const unpadded = Buffer.from(text).toString('base64').replace(/=+$/, '');
  const characters = [...unpadded].map((one) =>
    one === '+' ? `(?:${anyEncoding('+')}|-)` : one === '/' ? `(?:${anyEncoding('/')}|_)` : one,
  );
  return `${characters.join('')}(?:${anyEncoding('=')}){0,2}`;
}

/** A pattern for the credentials: as the `Authorization` header encodes them, and the password alone in any encoding. */
const secretsOf = oncePer(({ username, password }: Credentials) => {
  const patterns = [
    inBase64(`${username}:${password}`),
    inBase64(password),
    anyEncodingOf(password),
    withDoubledBackslashes(password),
  ];
  return new RegExp(patterns.join('|'), 'giu');
});

/**
 * Removes the credentials from a text of the service. It, or a server in between, may return what it was sent.
 *
 * @param credentials the credentials of the account
 * @param text the text; anything else becomes undefined
 */
export function withoutSecrets(credentials: Credentials, text: unknown): string | undefined {
  return typeof text === 'string' ? text.replace(secretsOf(credentials), '***') : undefined;
}
