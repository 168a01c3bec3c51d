import type { CheckedSettings } from '../settings/check-settings.ts';

/**
 * Returns the URL of the next page. The service gives it as an absolute path, which behind a gateway lacks the path of the base URL; the
 * part before the account is therefore taken from the base URL. Other services give a relative URL, such as `?Page=1`.
 *
 * @param settings the account, the only one whose pages may be read
 * @param from the URL of the page before it
 * @param uri the next page, as the service wrote it
 * @returns undefined if the next page is outside the account or on another origin
 */
export function nextUrl(
  { origin, root, accountPath }: CheckedSettings,
  from: string,
  uri: string,
): string | undefined {
  const url = new URL(uri, from);
  url.hash = '';
  if (url.href.startsWith(`${root}/`)) return url.href;
  if (url.origin !== origin || url.username || url.password) return undefined;
  const [, below] = url.pathname.split(`${accountPath}/`);
  return below ? `${root}/${below}${url.search}` : undefined;
}
