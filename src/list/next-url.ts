import type { CheckedSettings } from '../settings/check-settings.ts';

/**
 * The address of a next page. The service names it as a path from its own origin, also where the base URL has a path. Behind
 * a gateway that is not the path by which it is reached, so that what stands before the account is taken from the base URL.
 *
 * @param settings the account that may be read, and where it is
 * @param uri what the service named
 * @returns undefined where that is outside of the account, or another place
 */
export function nextUrl(
  { origin, root, accountPath }: CheckedSettings,
  uri: string,
): string | undefined {
  const url = new URL(uri, origin);
  if (url.href.startsWith(`${root}/`)) return url.href;
  if (url.origin !== origin || url.username || url.password) return undefined;
  const [, below] = url.pathname.split(`${accountPath}/`);
  return below ? `${root}/${below}${url.search}` : undefined;
}
