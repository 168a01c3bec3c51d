import { withoutSecrets } from '../response/without-secrets.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { parseUrl } from '../text/parse-url.ts';

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the URL to which the service redirects a request for audio.
 *
 * @param settings the account, whose credentials must not be in the URL
 * @param url the requested URL
 * @param status the status of the response
 * @param location the `Location` header of the response
 * @returns undefined if it isn't a redirect, or leads neither to https nor to the service's own origin
 */
export function storedElsewhere(
  settings: CheckedSettings,
  url: string,
  status: number,
  location: string | undefined,
): URL | undefined {
  if (!redirects.has(status) || !location) return undefined;
  const target = parseUrl(location, url);
  if (!target || withoutSecrets(settings, location) !== location) return undefined;
  return target.protocol === 'https:' || target.origin === settings.origin ? target : undefined;
}
