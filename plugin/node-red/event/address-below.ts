/**
 * The address of a page of flows, as it is reached from outside.
 *
 * @param publicAddress that of the root of all of them
 * @param path where it is below that
 */
export const addressBelow = (publicAddress: string, path: string): string =>
  publicAddress.trim().replace(/\/+$/, '') + path;
