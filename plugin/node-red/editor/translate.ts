import { sayIn } from '../../../src/builder.ts';
import { textKey } from '../locale/text-key.ts';
import type { TextValues, UiText } from '../locale/ui-texts.ts';

declare const RED: typeof import('./browser.ts').RED;

/** Node-RED's name for this package's catalogue: the package and its node set. */
const namespace = '@telephony-plugin/node-red/telephony';

/** Translates a text into the editor's language. English is the fallback. */
export const translated = (english: string, values?: TextValues): string =>
  RED._(`${namespace}:${textKey(english)}`, { defaultValue: english, ...values });

/** Writes a time as people write it in the editor's language, which can differ from the browser's. */
export const timeText = (time: Date): string => time.toLocaleString(RED.i18n.lang());

/** Writes sentences in the editor's language. */
export const say = sayIn((text) => translated(text), timeText);

/** Translates one of the script's own texts. */
export const t = (text: UiText, values?: TextValues): string => translated(text, values);
