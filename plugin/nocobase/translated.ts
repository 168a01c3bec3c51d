import { namespace } from './namespace.ts';

/** A text that NocoBase translates when it shows it. */
export const translated = (text: string): string =>
  `{{t(${JSON.stringify(text)}, ${JSON.stringify({ ns: namespace })})}}`;

/** The text of a title, which NocoBase wraps in a `t()` call if it translates it. */
export function textIn(title: string): string {
  const [, , text] = /^\{\{\s*t\(\s*(["'])(.+?)\1\s*[,)]/.exec(title) ?? [];
  return text ?? title;
}
