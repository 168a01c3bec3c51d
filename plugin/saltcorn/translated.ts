import { getReq__ } from '@saltcorn/data/db/state';
import { sayIn, TelephonyError } from '../../src/builder.ts';
import { textPrefix } from './text-prefix.ts';

/**
 * Translates a text into the language of the current request's user. English is the fallback.
 *
 * @param text a text of the definitions or of `locale/`, with placeholders such as {{name}}
 * @param values the values of its placeholders
 */
export function translated(text: string, values: Record<string, string | number> = {}): string {
  const found = getReq__()(textPrefix + text);
  const chosen = found === textPrefix + text ? text : found;
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{{${name}}}`, () => String(value)),
    chosen,
  );
}

/** Writes a sentence in the language of the current request's user. */
export const say = sayIn(translated);

/** Writes the message of an error in the language of the current request's user. */
export const sayError = (error: unknown): string =>
  error instanceof TelephonyError ? say(error.said) : (error as Error).message;
