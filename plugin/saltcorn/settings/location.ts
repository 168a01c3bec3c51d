/** Where users find the settings, as it follows “in”. Saltcorn calls plugins modules. */
export const location = "the module's settings";

/** Shortens a message on the settings page itself, where users need not be told where the settings are. */
export const onSettingsPage = (message: string): string =>
  message.replaceAll(` in ${location}`, '');
