import { TelephonyError } from '../../telephony-error.ts';
import { busy } from '../deliver/webhook-response.ts';
import type { ReceiveEvent } from './receive-events.ts';

const notReady: ReceiveEvent = async () => busy();

/**
 * Opens the receiver of an account's webhooks. While the account can't receive any, because its settings are incomplete or the builder isn't
 * ready, the response to each lets the service send it again.
 *
 * @param open returns the receiver; nothing if the account has none yet
 */
export async function openReceiver(
  open: () => ReceiveEvent | undefined | Promise<ReceiveEvent | undefined>,
): Promise<ReceiveEvent> {
  try {
    return (await open()) ?? notReady;
  } catch (error) {
    if (error instanceof TelephonyError) return notReady;
    throw error;
  }
}
