import { type Action, type Field, isSenderField } from '../../../../src/builder.ts';
import { actionsResource, usableAction } from '../../resources.ts';
import type { UsableAccount } from '../../usable-account.ts';

/** What the user may do, by account key. */
export type Usable = Record<string, UsableAccount>;

/** The request that reads what the user may do. */
export const usableRequest = `${actionsResource}:${usableAction}`;

/** The accounts that a button may use: its own, or all if none is configured. */
function accountsOf(usable: Usable, account: unknown): UsableAccount[] {
  const own = typeof account === 'string' ? usable[account] : undefined;
  return own ? [own] : Object.values(usable);
}

/**
 * Whether the user may run a button's action. True without any account: a click then reports that there is none.
 *
 * @param account the key of the button's account; undefined if none is configured
 */
export function isUsable(usable: Usable, { id }: Pick<Action, 'id'>, account: unknown): boolean {
  const own = accountsOf(usable, account);
  return own.length === 0 || own.some(({ rights }) => rights[id] !== undefined);
}

/** A field of the form that a button shows. */
export interface FormField extends Field {
  /** Whether the form shows the configured value and the user can't change it. */
  isFixed: boolean;
}

/**
 * Returns the fields of the form that a button shows. A user who may only use buttons can't change configured values
 * or choose the sender.
 *
 * @param account the key of the button's account; undefined if none is configured
 * @param isSetUp whether a field, by its key, has a configured value
 */
export function formFields(
  usable: Usable,
  { id, fields }: Pick<Action, 'id' | 'fields'>,
  account: unknown,
  isSetUp: (key: string) => boolean,
): FormField[] {
  const own = accountsOf(usable, account);
  const onlyButtons = own.length > 0 && own.every(({ rights }) => rights[id] === 'buttons');
  const hasSender = own.length === 0 || own.some((one) => one.hasSender);
  return fields
    .map((field) => ({
      ...field,
      isFixed: onlyButtons && isSetUp(field.key),
      required: field.required === true && !(isSenderField(field) && hasSender),
    }))
    .filter((field) => field.isFixed || !onlyButtons || !isSenderField(field));
}
