import { type Action, definitions } from '../../../../src/builder.ts';
import type { StoredAccount } from '../account/stored-account.ts';
import type { Context } from '../nocobase.ts';

/** The user lacks a right. NocoBase responds with the status. */
export class Forbidden extends Error {
  readonly status = 403;
}

/** How a role may run an action: with any input, or only through buttons as an administrator configured them. */
export type Right = 'any' | 'buttons';

export type Rights = Pick<StoredAccount, 'roles' | 'buttonRoles'>;

type UserContext = Pick<Context, 'state'>;

function rightOf({ roles, buttonRoles }: Rights, { id }: Action, { state }: UserContext) {
  const own = state.currentRoles ?? [];
  if (own.some((role) => role === 'root' || roles[id]?.includes(role))) return 'any';
  return own.some((role) => buttonRoles[id]?.includes(role)) ? 'buttons' : undefined;
}

/**
 * Returns the user's right to run an action: the strongest one that any of their roles has.
 *
 * @throws {Forbidden} if they have none
 */
export function rightTo(rights: Rights, action: Action, context: UserContext): Right {
  const right = rightOf(rights, action, context);
  if (right) return right;
  throw new Forbidden(`Your role may not use “${action.name}”.`);
}

/** The ids of the actions that the user may run, at least through buttons. */
export const usableActions = (rights: Rights, context: UserContext): string[] =>
  definitions.actions.filter((action) => rightOf(rights, action, context)).map(({ id }) => id);
