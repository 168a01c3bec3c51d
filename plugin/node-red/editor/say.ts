import type { SpokenText, TextValues } from '../locale/spoken-texts.ts';
import { textKey } from '../locale/text-key.ts';

declare const RED: typeof import('./browser.ts').RED;

/** Node-RED's name for the catalogue of this package: the package and its set of nodes. */
const namespace = '@telephony-plugin/node-red/telephony';

/** Says a text in the editor's language, or in English. */
export const translated = (english: string, values?: TextValues): string =>
  RED._(`${namespace}:${textKey(english)}`, { defaultValue: english, ...values });

/** Says one of the script's own texts in the editor's language. */
export const say = (text: SpokenText, values?: TextValues): string => translated(text, values);
