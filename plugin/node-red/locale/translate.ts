import type { TextValues } from './ui-texts.ts';

/** Translates an English text. Values replace `__name__` in it. */
export type Translate = (english: string, values?: TextValues) => string;

/** Returns a text, or a part of a page, in a language. */
export type Translated = (t: Translate) => string;

/** Replaces the placeholders of a text, as Node-RED does. */
export const fillIn = (text: string, values: TextValues = {}): string =>
  text.replaceAll(/__(\w+?)__/g, (placeholder, name) => String(values[name] ?? placeholder));

/** Keeps texts in English. */
export const english: Translate = fillIn;
