import { sentence } from '../../../src/builder.ts';
import { say } from '../translated.ts';

/** Where users find the settings, as it follows “in”. Saltcorn calls plugins modules. */
export const location = sentence("the module's settings");

/** Shortens a message for the settings page itself, where users already see the settings. */
export const onSettingsPage = (message: string): string =>
  message.replaceAll(` in ${say(location)}`, '');
