let location = 'the settings';

/** Returns where users find the settings, for messages: "Check the base URL in …". */
export const settingsLocation = (): string => location;

/**
 * Sets where users of a builder find the settings. Call it once, before anything else.
 *
 * @param words the location as it follows "in", such as `the account node`
 */
export function setSettingsLocation(words: string): void {
  location = words;
}
