import { type Say, sayIn } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { textKey } from './text-key.ts';
import type { TextValues, UiText } from './ui-texts.ts';

/** The values for the placeholders of a text, which is translated before they are written. */
type ServerValues = Record<string, string | number | Date>;

/** Translates a text into the language of Node-RED's server. */
export type TranslateServer = (text: UiText, values?: ServerValues) => string;

const shortTime: Intl.DateTimeFormatOptions = {
  ...{ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};

/** Writes the numbers and times of a text as people do who speak the language of a code. */
export const valuesIn = (code: string, values: ServerValues = {}): TextValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toLocaleString(code, shortTime)];
      return [name, typeof value === 'number' ? value.toLocaleString(code) : value];
    }),
  );

/** Translates texts into the language of Node-RED's server. */
export const serverTranslator =
  (RED: NodeRed): TranslateServer =>
  (text, values) => {
    const code = RED._(textKey('en'), { defaultValue: 'en' });
    return RED._(textKey(text), { defaultValue: text, ...valuesIn(code, values) });
  };

/** Writes sentences in the language of Node-RED's server. */
export const serverSay = (RED: NodeRed): Say =>
  sayIn((text) => RED._(textKey(text), { defaultValue: text }));
