import type { Action } from '../../generated/definition-types.ts';

/** How much of a value is said, in characters. */
const most = 80;

function said(value: unknown): string {
  const characters = [...String(value ?? '').replace(/\s+/g, ' ')];
  return characters.length > most
    ? `${characters.slice(0, most - 1).join('')}…`
    : characters.join('');
}

/**
 * The sentence that says that an action is done, on one line: `{key}` becomes the record's value, the beginning of it if
 * it is long.
 *
 * @param action the definition
 * @param record what the action returned
 */
export const doneSentence = ({ done }: Action, record: object): string =>
  done.replace(/\{(\w+)\}/g, (_, key) => said((record as Record<string, unknown>)[key]));
