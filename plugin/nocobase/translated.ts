import { namespace } from './namespace.ts';

/** A text that NocoBase translates when it shows it. */
export const translated = (text: string): string =>
  `{{t(${JSON.stringify(text)}, ${JSON.stringify({ ns: namespace })})}}`;
