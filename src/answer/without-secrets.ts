import { oncePer } from '../once-per.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';

/** What must be in no text that someone sees. */
export type Credentials = Pick<CheckedSettings, 'username' | 'password'>;

const namedInHtml: Record<string, string> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const inUrl = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);

const inJson = (character: string) =>
  character
    .split('')
    .map((unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

function inHtml(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = namedInHtml[character];
  return `&#(?:0*${code}|x0*${code.toString(16)});${name ? `|&${name};` : ''}`;
}

function itself(character: string): string {
  if (character === ' ') return '[ +]';
  return `${/["'/]/.test(character) ? '\\\\?' : ''}${literally(character)}`;
}

/** A character by itself, and as a URL, a form, JSON or HTML writes it. */
const spelled = (character: string, own = itself(character)): string =>
  `(?:${own}|${inUrl(character).join('')}|${inJson(character)}|${inHtml(character)})`;

const spelledText = (text: string) => [...text].map((one) => spelled(one)).join('');

// Each or none of them is twice there: where each could be either, many of them would be tried in all ways.
const withTwiceBackslashes = (text: string) =>
  [...text].map((one) => (one === '\\' ? spelled(one, '\\\\{2}') : spelled(one))).join('');

/** Base64 has another form for addresses, and may end without what fills it up. */
function inBase64(text: string): string {
  const whole = Buffer.from(text).toString('base64').replace(/=+$/, '');
  const characters = [...whole].map((one) =>
    one === '+' ? `(?:${spelled('+')}|-)` : one === '/' ? `(?:${spelled('/')}|_)` : one,
  );
  return `${characters.join('')}(?:${spelled('=')}){0,2}`;
}

/** The credentials as they are sent, and taken apart, however they are written. */
const secretsOf = oncePer(({ username, password }: Credentials) => {
  const spellings = [
    inBase64(`${username}:${password}`),
    inBase64(password),
    spelledText(password),
    withTwiceBackslashes(password),
  ];
  return new RegExp(spellings.join('|'), 'giu');
});

/**
 * A text from outside, without the credentials: a service, or whatever answers in its place, may send back what it
 * was sent.
 *
 * @param credentials what must not be in it
 * @param text what came; anything but a text is nothing
 */
export function withoutSecrets(credentials: Credentials, text: unknown): string | undefined {
  return typeof text === 'string' ? text.replace(secretsOf(credentials), '***') : undefined;
}
