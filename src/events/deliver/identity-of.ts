import type { EventDefinition } from '../../../generated/definition-types.ts';
import { recordShape } from '../../definition/operation.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';
import type { EventIdentity } from './delivery-log.ts';

const joined = (...parts: unknown[]) =>
  parts.map((part) => encodeURIComponent(String(part))).join('/');

/**
 * Returns the identity of an event, whether it was received or polled; undefined if its record lacks a part of it.
 *
 * @param signature the signature of its request; without one, only the key identifies it
 */
export function identityOf(
  definition: EventDefinition,
  record: TelephonyRecord,
  signature?: string,
): EventIdentity | undefined {
  const { id, identifiedBy, order, result } = definition;
  const identity = identifiedBy.map((key) => record[key]);
  if (identity.some((value) => value === null || value === '')) return undefined;
  const reached = order && record[order.by];
  const step = order?.steps.findIndex((values) => values.includes(String(reached))) ?? 0;
  const key = joined(id, ...identity);
  return {
    ...{ key, signature: signature ?? key, step, lateFrom: Math.max(step, 0) },
    subject: joined(id, record[recordShape(result.of).key]),
  };
}

/** Returns the identity of a signed request that isn't delivered. */
export function identityOfSignature(signature: string): EventIdentity {
  const key = joined('signature', signature);
  return { ...{ key, signature, subject: key }, step: 0, lateFrom: 0 };
}
