import type { Action } from '../../generated/definition-types.ts';

/** The longest value that is shown in full, in characters. */
const maxLength = 80;

function shorten(value: unknown): string {
  const characters = [...String(value ?? '').replace(/\s+/g, ' ')];
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength - 1).join('')}…`
    : characters.join('');
}

/**
 * Returns the success message of an action, on one line. Replaces each `{key}` by the record's value, shortened to 80 characters.
 *
 * @param action the definition
 * @param record what the action returned
 */
export const doneSentence = ({ done }: Action, record: object): string =>
  done.replace(/\{(\w+)\}/g, (_, key) => shorten((record as Record<string, unknown>)[key]));
