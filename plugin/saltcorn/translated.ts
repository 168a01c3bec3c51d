import { getReq__ } from '@saltcorn/data/db/state';
import { textPrefix } from './text-prefix.ts';

/**
 * A text in the language of the person whose request Saltcorn answers; in English without a request or a translation.
 *
 * @param text a text of the definitions or of `locale/`, with {{places}}
 * @param values the values for its places
 */
export function translated(text: string, values: Record<string, string | number> = {}): string {
  const found = getReq__()(textPrefix + text);
  const chosen = found === textPrefix + text ? text : found;
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{{${name}}}`, () => String(value)),
    chosen,
  );
}
