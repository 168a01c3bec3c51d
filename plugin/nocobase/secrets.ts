import { secretKeys } from '../../src/builder.ts';

type Values = Record<string, unknown>;

/** The key of what the service signs events by, which is a secret next to those of the settings. */
export const authTokenKey = 'authToken';

/** The keys of all secrets of an account. */
export const allSecretKeys: readonly string[] = [...secretKeys, authTokenKey];

/** NocoBase keeps what is called so out of its log, and nothing else. */
const unlogged = 'password';

const split = (values: Values) => {
  const entries = Object.entries(values);
  const of = (isSecret: boolean) =>
    Object.fromEntries(entries.filter(([key]) => allSecretKeys.includes(key) === isSecret));
  return { secrets: of(true), others: of(false) };
};

/** The values of an account's form as they are sent to the server: all secrets where NocoBase does not log them. */
export function secretsTogether(values: Values): Values {
  const { secrets, others } = split(values);
  return { ...others, [unlogged]: secrets };
}

/** The values of an account's form as the server got them. A secret that is somewhere else, and so in the log, is none. */
export function secretsApart(values: Values = {}): Values {
  const { others } = split(values);
  const sent = values[unlogged];
  return { ...others, ...(typeof sent === 'string' ? { [unlogged]: sent } : Object(sent)) };
}
