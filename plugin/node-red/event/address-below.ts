/**
 * The address of a page of flows, as it is reached from outside.
 *
 * @param publicAddress that of the root of all of them; a query of it stays behind the path
 * @param path where it is below that
 */
export function addressBelow(publicAddress: string, path: string): string {
  const [, root = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(publicAddress.trim()) ?? [];
  return root.replace(/\/+$/, '') + path + rest;
}
