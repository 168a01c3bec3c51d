import type { Action } from '../../../../src/builder.ts';

/** The ids of the actions that the user may run, by account key. */
export type Usable = Record<string, string[]>;

/**
 * Whether the user may run a button's action. True without any account: a click then reports that there is none.
 *
 * @param account the key of the button's account; undefined if none is configured
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
