import type { NodeRed } from '../node-red.ts';
import type { Say } from './spoken-texts.ts';
import { textKey } from './text-key.ts';

/** Translates texts into the language of Node-RED's server. */
export const sayIn =
  (RED: NodeRed): Say =>
  (text, values) =>
    RED._(textKey(text), { defaultValue: text, ...values });
