import { namespace } from './namespace.ts';

/** A text that NocoBase translates where it is shown. */
export const translated = (text: string): string =>
  `{{t(${JSON.stringify(text)}, ${JSON.stringify({ ns: namespace })})}}`;
