import type { Action } from '../../generated/definition-types.ts';

/**
 * The sentence that says that an action is done: `{key}` becomes the record's value.
 *
 * @param action the definition
 * @param record what the action returned
 */
export const doneSentence = ({ done }: Action, record: object): string =>
  done.replace(/\{(\w+)\}/g, (_, key) => String((record as Record<string, unknown>)[key] ?? ''));
