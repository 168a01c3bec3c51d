let place = "the plugin's settings";

/** Where people fill in the settings, in words, as messages say it. */
export const settingsLocation = (): string => place;

/**
 * Says where people fill in the settings, for a builder that has no settings of plugins. Once, before anything else.
 *
 * @param words such as `the account node`, to stand behind “in”
 */
export function setSettingsLocation(words: string): void {
  place = words;
}
