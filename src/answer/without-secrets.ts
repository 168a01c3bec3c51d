import type { CheckedSettings } from '../settings/check-settings.ts';

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

const inForm = (text: string) => new URLSearchParams([['', text]]).toString().slice('='.length);

/** The credentials as they are sent, and taken apart, each also as a URL or a form writes it. */
function spellingsOf({ username, password }: CheckedSettings): string[] {
  const plain = [inBase64(`${username}:${password}`), inBase64(password), password];
  return plain.flatMap((text) => [text, encodeURIComponent(text), inForm(text)]);
}

/**
 * A text from outside, without the credentials: a service, or whatever answers in its place, may send back what it
 * was sent.
 *
 * @param settings whose credentials must not be in it
 * @param text what came; anything but a text is nothing
 */
export function withoutSecrets(settings: CheckedSettings, text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return spellingsOf(settings).reduce((left, secret) => left.replaceAll(secret, '***'), text);
}
