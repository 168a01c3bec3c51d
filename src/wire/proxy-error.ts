const prefix = 'ERR_PROXY ';

/**
 * Creates the error of a proxy that doesn't connect to the service. It doesn't contain the proxy's address, which can hold a
 * password.
 *
 * @param reason the reason in words, or the error of the connection
 */
export function proxyError(reason: string | NodeJS.ErrnoException): NodeJS.ErrnoException {
  const words =
    typeof reason === 'string'
      ? reason
      : (reason.code ?? reason.message.replace(/^Bad response: /, 'it answers '));
  return Object.assign(new Error(words), { code: prefix + words });
}

/**
 * Returns why a proxy didn't connect.
 *
 * @param code the code of an error
 * @returns undefined if it isn't the code of a `proxyError`
 */
export const proxyErrorReason = (code: string): string | undefined =>
  code.startsWith(prefix) ? code.slice(prefix.length) : undefined;
