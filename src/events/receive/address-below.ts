/**
 * Returns the public URL of a path in an app.
 *
 * @param publicAddress the public URL of the app; its query is kept, after the path
 * @param path the path, appended to that of the app
 */
export const addressBelow = (publicAddress: string, path: string): string =>
  publicAddress.trim().replace(/\/*(?=[?#]|$)/, path);
