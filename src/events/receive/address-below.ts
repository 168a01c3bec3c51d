/**
 * Where something is in an app, as it is reached from outside.
 *
 * @param publicAddress where the app is; a query of it stays behind the path
 * @param path where it is below that
 */
export const addressBelow = (publicAddress: string, path: string): string =>
  publicAddress.trim().replace(/\/*(?=[?#]|$)/, path);
