import { operations } from '../definition/operation.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';

/** The maximum duration of the check, in milliseconds. */
const timeoutMs = 8_000;

/** Where operations find the account's senders: the data source, and the key of the number. */
const senderLists = new Map(
  operations.flatMap(({ fields }) =>
    fields.flatMap(({ purpose, choices }) =>
      purpose === 'sender' && choices ? [[choices.source, choices.value] as const] : [],
    ),
  ),
);

async function isListed(telephony: Pick<Telephony, 'pages'>, sender: string): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  for (const [source, key] of senderLists)
    for await (const { records } of telephony.pages(source, { [key]: sender }, { signal }))
      if (records.length > 0) return true;
  return false;
}

/**
 * Checks whether an account doesn't have a phone number. Costs one request.
 *
 * @param sender the number, with its country code
 * @returns false if the service has no list of numbers, or didn't respond in time
 */
export async function lacksSender(
  telephony: Pick<Telephony, 'pages'>,
  sender: string,
): Promise<boolean> {
  try {
    return !(await isListed(telephony, sender));
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return false;
  }
}
