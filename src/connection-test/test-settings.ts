import { connect } from '../connect.ts';
import { operations } from '../definition/operation.ts';
import { isNational, samePhone } from '../field-types/phone.ts';
import { settingsWithStoredSecrets } from '../settings/stored-settings.ts';
import type { ConnectOptions, Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import {
  inEnglish,
  type Say,
  type Sentence,
  sentence,
  sentenceOf,
  withSentence,
} from '../text/sentence.ts';
import type { ConnectionTest } from './test-connection.ts';

/** The maximum duration of the check, in milliseconds. */
const timeoutMs = 8_000;

/** The maximum number of records: those of one request. */
const most = 1000;

/** Where operations find the account's senders: the data source, and the key of the number. */
const senderLists = new Map(
  operations.flatMap(({ fields }) =>
    fields.flatMap(({ purpose, choices }) =>
      purpose === 'sender' && choices ? [[choices.source, choices.value] as const] : [],
    ),
  ),
);

async function mayHave(telephony: Pick<Telephony, 'pages'>, sender: string): Promise<boolean> {
  const options = { limit: most, signal: AbortSignal.timeout(timeoutMs) };
  // Reads all numbers: the service's filter also finds numbers that contain the sender.
  for (const [source, key] of senderLists)
    for await (const { records } of telephony.pages(source, {}, options))
      if (
        records.length === most ||
        records.some(({ [key]: number }) => samePhone(sender, String(number ?? '')))
      )
        return true;
  return false;
}

/**
 * Checks whether an account doesn't have a phone number. Costs one request.
 *
 * @param sender the number, with its country code
 * @returns false if the service has no list of numbers or 1,000 of them, or didn't respond in time
 */
async function lacksSender(telephony: Pick<Telephony, 'pages'>, sender: string): Promise<boolean> {
  try {
    return !(await mayHave(telephony, sender));
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return false;
  }
}

/** How to test settings. */
interface TestOptions extends Pick<ConnectOptions, 'http' | 'spending'> {
  /** The account's default sender, as entered. A phone number is looked up; a name or a short code is not. */
  sender?: unknown;
  /** Writes the message in the language of the person; in English if not given. */
  say?: Say;
}

const isNumber = (sender: string) => /^\+\d+$/.test(sender);

/** Returns why the service may reject the messages of a sender; undefined if nothing is known against it. */
async function problemOf(telephony: Telephony, sender: string): Promise<Sentence | undefined> {
  if (isNational(sender))
    return sentence(
      'However, the default sender {sender} does not start with a plus sign and a country code, so the service may reject its messages.',
      { sender },
    );
  if (!isNumber(sender)) return undefined;
  return (await lacksSender(telephony, sender))
    ? sentence(
        'However, the default sender {sender} is not a number of this account, so the service may reject its messages.',
        { sender },
      )
    : undefined;
}

/**
 * Tests settings with a few cheap reads, for the button _Test connection_. What is wrong with them is in the result, not thrown. Sends
 * nothing while a setting is missing, and a stored secret only to its own host.
 *
 * @param typed the settings in the form
 * @param stored the secrets that replace empty ones, and the addresses that they were entered with, such as the `baseUrl`
 * @param options how to send, the limits, the default sender, and the language
 */
export async function testSettings(
  typed: object = {},
  stored: object = {},
  { http, spending, sender: entered, say = inEnglish }: TestOptions = {},
): Promise<ConnectionTest> {
  try {
    const settings = settingsWithStoredSecrets(typed, stored);
    const telephony = connect({ ...settings, http, spending });
    const result = await telephony.test();
    const sender = telephony.cleanPhone(String(entered ?? '').trim());
    const problem = result.reached && (await problemOf(telephony, sender));
    const said = sentenceOf(result) ?? result.message;
    const all = problem ? sentence('{first} {next}', { first: said, next: problem }) : said;
    const message = say(all);
    if (!result.reached || !problem) return withSentence({ ...result, message }, all);
    const reached = { ...result.reached, sender };
    return withSentence({ outcome: 'other-sender', message, reached }, all);
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'settings') throw error;
    const message = say(error.said);
    return withSentence({ outcome: 'wrong-settings', message }, error.said);
  }
}
