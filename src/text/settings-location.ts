import { type Sentence, sentence } from './sentence.ts';

let location = sentence('the settings');

/** Returns where users find the settings, for messages: "Check the base URL in …". */
export const settingsLocation = (): Sentence => location;

/**
 * Sets where users of a builder find the settings. Call it once, before anything else.
 *
 * @param words the location as it follows "in", such as “the account node”
 */
export function setSettingsLocation(words: Sentence): void {
  location = words;
}
