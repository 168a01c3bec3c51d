import type { CheckedSettings } from '../settings/check-settings.ts';

/**
 * The address of a next page. The service names it as a path from its own origin, also where the base URL has a path. Behind
 * a gateway that is not the path by which it is reached, so that what stands before the account is taken from the base URL.
 * Other services name what differs from the page, such as `?Page=1`.
 *
 * @param settings the account that may be read, and where it is
 * @param from the address of the page
 * @param uri what the service named in it
 * @returns undefined where that is outside of the account, or another place
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
