import type { DeliveryLog } from './delivery-log.ts';
import { identityOfSignature } from './identity-of.ts';

/**
 * Records a signature, so that no request with it becomes an event later. Nothing in the signed text separates names from values, so
 * the same signature also matches other parameters whose text is the same.
 */
export async function rememberSignature(
  deliveryLog: DeliveryLog,
  signature: string,
): Promise<void> {
  const identity = identityOfSignature(signature);
  if ((await deliveryLog.begin(identity)) === 'new') await deliveryLog.delivered(identity);
}
