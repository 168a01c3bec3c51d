import { type Say, sayIn } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { textKey } from './text-key.ts';
import type { TranslateUi } from './ui-texts.ts';

/** Translates texts into the language of Node-RED's server. */
export const serverTranslator =
  (RED: NodeRed): TranslateUi =>
  (text, values) =>
    RED._(textKey(text), { defaultValue: text, ...values });

/** Writes sentences in the language of Node-RED's server. */
export const serverSay = (RED: NodeRed): Say =>
  sayIn((text) => RED._(textKey(text), { defaultValue: text }));
