import { type Say, sayIn } from '../../../src/builder.ts';
import { namespace } from '../namespace.ts';
import type { Context } from './nocobase.ts';

/** Returns what writes sentences in the language of the user of a request. */
export const sayFor = (context: Context): Say =>
  sayIn((text) => context.t(text, { ns: namespace, nsSeparator: false, keySeparator: false }));
