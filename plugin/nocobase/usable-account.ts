/** How a role may run an action: with any input, or only through buttons as an administrator configured them. */
export type Right = 'any' | 'buttons';

/** What a user may do with an account. */
export interface UsableAccount {
  /** The user's right to each action that they may run, by the action's id. */
  rights: Record<string, Right>;
  /** Whether the account has a default sender. */
  hasSender: boolean;
}
