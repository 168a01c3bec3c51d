import type { Action } from '../../../../src/builder.ts';

/** The ids of the actions that a user may use, by the keys of accounts. */
export type Usable = Record<string, string[]>;

/**
 * Whether a button is of use to someone. Where there is no account, its click says so.
 *
 * @param account the key of its account; undefined if it is not set up with one
 */
export function isUsable(
  usable: Usable,
  { id }: Pick<Action, 'id'>,
  account: string | undefined,
): boolean {
  const own = account === undefined ? undefined : usable[account];
  const all = own ? [own] : Object.values(usable);
  return all.length === 0 || all.some((ids) => ids.includes(id));
}
