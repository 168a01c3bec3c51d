import type { SpokenText, TextValues } from '../locale/spoken-texts.ts';
import { textKey } from '../locale/text-key.ts';

declare const RED: typeof import('./browser.ts').RED;

/** Node-RED's name for this package's catalogue: the package and its node set. */
const namespace = '@telephony-plugin/node-red/telephony';

/** Translates a text into the editor's language. English is the fallback. */
export const translated = (english: string, values?: TextValues): string =>
  RED._(`${namespace}:${textKey(english)}`, { defaultValue: english, ...values });

/** Translates one of the script's own texts. */
export const say = (text: SpokenText, values?: TextValues): string => translated(text, values);
