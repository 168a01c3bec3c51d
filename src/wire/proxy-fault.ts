const prefix = 'ERR_PROXY ';

/**
 * The error of a proxy that does not connect to the service. It says nothing of the proxy's address, which can hold a password.
 *
 * @param reason why, in words, or what failed
 */
export function proxyFault(reason: string | NodeJS.ErrnoException): NodeJS.ErrnoException {
  const why =
    typeof reason === 'string'
      ? reason
      : (reason.code ?? reason.message.replace(/^Bad response: /, 'it answers '));
  return Object.assign(new Error(why), { code: prefix + why });
}

/**
 * Why a proxy did not connect.
 *
 * @param code the code of an error
 * @returns undefined for other errors
 */
export const reasonOfProxy = (code: string): string | undefined =>
  code.startsWith(prefix) ? code.slice(prefix.length) : undefined;
