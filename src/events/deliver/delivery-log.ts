import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';

/** Identifies an event, so that it is delivered once, and not at all if it is stale. Its texts and numbers fit into table columns. */
export interface EventIdentity {
  /** Equal for two requests that report the same event. */
  key: string;
  /** Equal for two requests with the same signature: if their keys differ, one is forged from the other. */
  signature: string;
  /** The kind of event and what it is about, such as a message, whose events are delivered in order. */
  subject: string;
  /** The step in the record's life; -1 if unknown. */
  step: number;
  /** The event that the same request is, too. If its signature belongs to another one, the request is forged from that. */
  of?: EventIdentity;
  /** The event is stale if another one of the same subject has at least this step. */
  lateFrom: number;
}

/** The state of an event when it arrives. A stale one comes after a later step of the same record. */
export type DeliveryState = 'new' | 'delivered' | 'in-progress' | 'stale';

type Maybe<Value> = Value | Promise<Value>;

/** Records which events were delivered. To share it, processes need a shared store, such as a table. */
export interface DeliveryLog {
  /**
   * Returns the state of an event, and records a new one as in progress. Both are one step, so that only one of two processes gets
   * `new`. An event is known by its key or its signature. One that has been in progress for longer than a delivery takes, because
   * its process ended, is `new` again.
   */
  begin(event: EventIdentity): Maybe<DeliveryState>;
  /** Records that the event was delivered. */
  delivered(event: EventIdentity): Maybe<void>;
  /** Removes an event whose delivery failed, as if it had never arrived. */
  release(event: EventIdentity): Maybe<void>;
}

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
  const { id, identifiedBy, order } = definition;
  const valuesOf = (keys: string[]) => keys.map((key) => record[key]);
  const identity = valuesOf(identifiedBy);
  if (identity.some((value) => value === null || value === '')) return undefined;
  const reached = order && record[order.by];
  const step = order?.steps.findIndex((values) => values.includes(String(reached))) ?? 0;
  const key = joined(id, ...identity);
  return {
    ...{ key, signature: signature ?? key, step, lateFrom: Math.max(step, 0) },
    subject: joined(id, ...valuesOf(identifiedBy.filter((one) => one !== order?.by))),
  };
}

/** Returns the identity of a signed request that isn't delivered. */
export function identityOfSignature(signature: string): EventIdentity {
  const key = joined('signature', signature);
  return { ...{ key, signature, subject: key }, step: 0, lateFrom: 0 };
}

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
