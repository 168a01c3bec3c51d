import { connect } from '../connect.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { isNational } from '../field-types/national-number.ts';
import { phoneCleaner } from '../field-types/read-phone.ts';
import { settingsWithStoredSecrets } from '../settings/settings-with-stored-secrets.ts';
import type { ConnectOptions, Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { lacksSender } from './lacks-sender.ts';
import type { ConnectionTest } from './test-connection.ts';

/** How to test settings. */
interface TestOptions extends Pick<ConnectOptions, 'http'> {
  /** The account's default sender, as entered. A phone number is looked up; a name or a short code is not. */
  sender?: unknown;
}

const isNumber = (sender: string) => /^\+\d+$/.test(sender);

/** Returns why the service may reject the messages of a sender; undefined if nothing is known against it. */
async function problemOf(telephony: Telephony, sender: string): Promise<string | undefined> {
  if (isNational(sender)) return 'does not start with a plus sign and a country code';
  if (!isNumber(sender)) return undefined;
  return (await lacksSender(telephony, sender)) ? 'is not a number of this account' : undefined;
}

/**
 * Tests settings with a few cheap reads, for the button _Test connection_. What is wrong with them is in the result, not thrown. Sends
 * nothing while a setting is missing, and a stored secret only to its own host.
 *
 * @param typed the settings in the form
 * @param stored the secrets that replace empty ones, and the `baseUrl` that they were entered with
 * @param options how to send, and the default sender
 */
export async function testSettings(
  typed: object = {},
  stored: object = {},
  { http, sender: entered }: TestOptions = {},
): Promise<ConnectionTest> {
  try {
    const settings = settingsWithStoredSecrets(typed, stored);
    const telephony = connect({ ...settings, http });
    const result = await telephony.test();
    const country = String(fieldTypes.country.clean(settings.defaultCountry ?? ''));
    const sender = phoneCleaner(country)(String(entered ?? '').trim());
    const problem = result.reached && (await problemOf(telephony, sender));
    if (!result.reached || !problem) return result;
    return {
      outcome: 'other-sender',
      message: `${result.message} However, the default sender ${sender} ${problem}, so the service may reject its messages.`,
      reached: { ...result.reached, sender },
    };
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'settings') throw error;
    return { outcome: 'wrong-settings', message: error.message };
  }
}
