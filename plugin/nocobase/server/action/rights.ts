import {
  type Action,
  definitions,
  inEnglish,
  type Said,
  sentence,
} from '../../../../src/builder.ts';
import type { Right } from '../../usable-account.ts';
import type { StoredAccount } from '../account/stored-account.ts';
import type { Context } from '../nocobase.ts';

/** The user lacks a right. NocoBase responds with the status. */
export class Forbidden extends Error {
  readonly status = 403;

  /** @param said the message, which is shown in the language of the user */
  constructor(readonly said: Said) {
    super(inEnglish(said));
  }
}

export type Rights = Pick<StoredAccount, 'roles' | 'buttonRoles'>;

type UserContext = Pick<Context, 'state'>;

function rightOf(
  { roles, buttonRoles }: Rights,
  { id }: Action,
  { state }: UserContext,
): Right | undefined {
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
  throw new Forbidden(sentence('Your role may not use “{name}”.', { name: { text: action.name } }));
}

/** The user's right to each action that they may run, by the action's id. */
export const usableActions = (rights: Rights, context: UserContext): Record<string, Right> =>
  Object.fromEntries(
    definitions.actions.flatMap((action) => {
      const right = rightOf(rights, action, context);
      return right ? [[action.id, right]] : [];
    }),
  );
