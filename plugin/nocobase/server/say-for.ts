import { type Say, sayIn, type WriteTime } from '../../../src/builder.ts';
import { namespace } from '../namespace.ts';
import type { Context } from './nocobase.ts';

/**
 * Returns what writes sentences in the language of the user of a request.
 *
 * @param write writes times; in UTC if not given
 */
export const sayFor = (context: Context, write?: WriteTime): Say =>
  sayIn((text) => {
    const options = { ns: namespace, nsSeparator: false, keySeparator: false } as const;
    const found: unknown = context.t(text, options);
    // For a name such as "constructor", NocoBase returns a function.
    return typeof found === 'string' ? found : text;
  }, write);
