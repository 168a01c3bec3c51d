import { operations } from '../definition/operation.ts';
import { samePhone } from '../field-types/same-phone.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';

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
export async function lacksSender(
  telephony: Pick<Telephony, 'pages'>,
  sender: string,
): Promise<boolean> {
  try {
    return !(await mayHave(telephony, sender));
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return false;
  }
}
