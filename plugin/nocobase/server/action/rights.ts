import type { Action } from '../../../../src/builder.ts';
import type { StoredAccount } from '../account/stored-account.ts';
import type { Context } from '../nocobase.ts';

/** Someone may not do something. NocoBase answers with the status. */
export class Forbidden extends Error {
  readonly status = 403;
}

/** What a role may do with an action: anything, or only what a button says that an administrator has set up. */
export type Right = 'any' | 'buttons';

type Rights = Pick<StoredAccount, 'roles' | 'buttonRoles'>;

/**
 * What someone may do with an action, by the best of their roles.
 *
 * @throws {Forbidden} if nothing
 */
export function rightTo({ roles, buttonRoles }: Rights, action: Action, { state }: Context): Right {
  const { id, name } = action;
  const own = state.currentRoles ?? [];
  if (own.some((role) => role === 'root' || roles[id]?.includes(role))) return 'any';
  if (own.some((role) => buttonRoles[id]?.includes(role))) return 'buttons';
  throw new Forbidden(`Your role may not use “${name}”.`);
}
