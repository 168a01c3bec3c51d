import type { CheckedSettings } from '../settings/check-settings.ts';

/**
 * A text from outside, without the credentials: a service, or whatever answers in its place, may send back what it
 * was sent.
 *
 * @param settings whose credentials must not be in it
 * @param text what came; anything but a text is nothing
 */
export function withoutSecrets(
  { username, password }: CheckedSettings,
  text: unknown,
): string | undefined {
  if (typeof text !== 'string') return undefined;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return text.replaceAll(basic, '***').replaceAll(password, '***');
}
