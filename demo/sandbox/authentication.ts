import { type Answer, failure } from './answers.ts';

/** The usernames that can use the account, with their passwords. */
export type Credentials = ReadonlyMap<string, string>;

/**
 * The reason why a request may not use the account in its path; undefined if it may.
 *
 * @param header the `Authorization` header
 * @param named the account in the path
 * @returns 20003 without valid credentials, 21470 for an API key in the path, 20404 for an account
 *   that is not the credentials' own
 */
export function refusal(
  credentials: Credentials,
  account: string,
  header: string | undefined,
  named: string,
  path: string,
): Answer | undefined {
  const given = basicCredentials(header);
  if (!given) return failure(20003, { reason: 'No credentials provided' });
  if (credentials.get(given.user) !== given.password) {
    return failure(20003, { reason: 'invalid username' });
  }
  if (named.startsWith('SK')) return failure(21470, { account: named });
  return named === account ? undefined : failure(20404, { path });
}

/** The username and password of a Basic `Authorization` header, if it is one. */
export function basicCredentials(
  header: string | undefined,
): { user: string; password: string } | undefined {
  const encoded = /^Basic ([\w+/=-]+)$/i.exec(header ?? '')?.[1];
  const [, user, password] = /^([^:]*):(.*)$/s.exec(decode(encoded)) ?? [];
  return user === undefined || password === undefined ? undefined : { user, password };
}

function decode(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
