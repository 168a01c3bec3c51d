import { withoutSecrets } from '../answer/without-secrets.ts';
import { parseUrl } from '../parse-url.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Where a sound is stored, when the service answers with a redirect: by https, or at the service's own origin.
 *
 * @param settings whose credentials must not be in the address
 * @param url what was asked for
 * @param status of the answer
 * @param location its header
 * @returns undefined where it is no redirect, or to a place where nothing may be asked for
 */
export function storedElsewhere(
  settings: CheckedSettings,
  url: string,
  status: number,
  location: unknown,
): URL | undefined {
  if (!redirects.has(status) || typeof location !== 'string' || !location) return undefined;
  const place = parseUrl(location, url);
  if (!place || withoutSecrets(settings, location) !== location) return undefined;
  return place.protocol === 'https:' || place.origin === settings.origin ? place : undefined;
}
