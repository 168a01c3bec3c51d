import { type Action, definitions } from '../../../../src/builder.ts';
import type { StoredAccount } from '../account/stored-account.ts';
import type { Context } from '../nocobase.ts';

/** Someone may not do something. NocoBase answers with the status. */
export class Forbidden extends Error {
  readonly status = 403;
}

/** What a role may do with an action: anything, or only what a button says that an administrator has set up. */
export type Right = 'any' | 'buttons';

export type Rights = Pick<StoredAccount, 'roles' | 'buttonRoles'>;

type Asking = Pick<Context, 'state'>;

function rightOf({ roles, buttonRoles }: Rights, { id }: Action, { state }: Asking) {
  const own = state.currentRoles ?? [];
  if (own.some((role) => role === 'root' || roles[id]?.includes(role))) return 'any';
  return own.some((role) => buttonRoles[id]?.includes(role)) ? 'buttons' : undefined;
}

/**
 * What someone may do with an action, by the best of their roles.
 *
 * @throws {Forbidden} if nothing
 */
export function rightTo(rights: Rights, action: Action, context: Asking): Right {
  const right = rightOf(rights, action, context);
  if (right) return right;
  throw new Forbidden(`Your role may not use “${action.name}”.`);
}

/** The ids of the actions that someone may use, at least with buttons. */
export const usableActions = (rights: Rights, context: Asking): string[] =>
  definitions.actions.filter((action) => rightOf(rights, action, context)).map(({ id }) => id);
