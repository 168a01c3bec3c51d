import { secretKeys } from '../../src/builder.ts';

type Values = Record<string, unknown>;

/** The key of the Auth Token that signs webhooks. It is a secret in addition to those of the settings. */
export const authTokenKey = 'authToken';

/** The keys of all secrets of an account. */
export const allSecretKeys: readonly string[] = [...secretKeys, authTokenKey];

/** The only key whose value NocoBase keeps out of its log. */
const unlogged = 'password';

const split = (values: Values) => {
  const entries = Object.entries(values);
  const of = (isSecret: boolean) =>
    Object.fromEntries(entries.filter(([key]) => allSecretKeys.includes(key) === isSecret));
  return { secrets: of(true), others: of(false) };
};

/** Moves an account's secrets under the key that NocoBase doesn't log, to send them to the server. */
export function secretsTogether(values: Values): Values {
  const { secrets, others } = split(values);
  return { ...others, [unlogged]: secrets };
}

/** Restores the secrets that `secretsTogether` moved. Drops secrets under other keys, which NocoBase has logged. */
export function secretsApart(values: Values = {}): Values {
  const { others } = split(values);
  const sent = values[unlogged];
  return { ...others, ...(typeof sent === 'string' ? { [unlogged]: sent } : Object(sent)) };
}
