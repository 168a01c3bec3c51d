import type { Action, FinalStatus, RecordShape } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { FinalRecords } from '../../generated/operations.ts';
import { finder, type IdOf, type KeysOf, recordShape } from '../definition/operation.ts';
import { errorSentence } from '../response/error-sentence.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { TelephonyError } from '../telephony-error.ts';
import { sentence, sentences } from '../text/sentence.ts';

/** What a status means to a person. */
export type StatusMeaning = 'success' | 'active' | 'waiting' | 'warning' | 'failure';

/** The word in front of the reason why a message wasn't delivered. */
export const undelivered = 'undelivered';

const deliveries = ['delivered', 'read'];

const meanings: [meaning: StatusMeaning, statuses: string[]][] = [
  ['success', ['completed', 'delivered', 'sent', 'received', 'read', 'done', 'approved']],
  ['active', ['in-progress', 'in progress']],
  [
    'waiting',
    [
      'accepted',
      'scheduled',
      'initiated',
      'queued',
      'ringing',
      'sending',
      'receiving',
      'processing',
      'pending',
    ],
  ],
  [
    'warning',
    ['busy', 'no-answer', 'partially_delivered', 'unknown', 'expired', 'max_attempts_reached'],
  ],
  ['failure', ['failed', 'undelivered', 'absent']],
];

/** An outcome without the reason why a message wasn't delivered. */
export const firstWord = (outcome: string): string =>
  outcome.startsWith(`${undelivered}:`) ? undelivered : outcome;

const rankOf = (outcome: string) => [undelivered, ...deliveries].indexOf(firstWord(outcome));

/** Whether an outcome replaces an earlier one of the same message. Statuses can arrive late: what was delivered stays delivered. */
export const overrides = (outcome: string, earlier: string): boolean =>
  rankOf(outcome) > rankOf(earlier);

/**
 * Returns what the status of a record or of a row means, so that lists can colour it.
 *
 * @returns undefined for a status that is neither good nor bad, such as `canceled`, or that isn't known
 */
export const statusMeaning = (status: string): StatusMeaning | undefined =>
  meanings.find(([, statuses]) => statuses.includes(firstWord(status)))?.[0];

const hasFinal = (shape: RecordShape): shape is RecordShape & { final: FinalStatus } =>
  shape.final !== undefined;

const find = finder('record type with a final status', definitions.records.filter(hasFinal));

/** Returns the status field of a kind of record and its final values. */
export const finalStatusOf = (shapeId: string): FinalStatus => find(shapeId).final;

/**
 * Returns the statuses after which a record doesn't change any more, such as `delivered` and `failed`. Makes no request.
 *
 * @param shapeId the id of the record's shape, such as `message`
 * @returns the service's own words; it may add more
 * @throws {TelephonyError} with code `input` for a record without statuses
 */
export const finalStatuses = <Shape extends string>(
  shapeId: IdOf<KeysOf<FinalRecords>, Shape>,
): readonly string[] => finalStatusOf(shapeId).values;

/**
 * Returns the outcome that the final status of a record is for its row: `delivered` or `read`, or `undelivered` with the reason.
 *
 * @param shapeId the id of the record's shape
 * @returns undefined if the status isn't final, or says neither
 */
export function deliveryOutcome(
  shapeId: string,
  record: Readonly<Record<string, unknown>>,
): string | undefined {
  const { final, fields } = recordShape(shapeId);
  const status = String(record[final?.field ?? ''] ?? '');
  // A call is neither delivered nor undelivered, whatever its final status.
  if (!final?.values.includes(status) || !final.values.includes(undelivered)) return undefined;
  if (deliveries.includes(status)) return status;
  if (statusMeaning(status) !== 'failure') return undefined;
  const { key = '', explains = '' } = fields.find((field) => field.explains) ?? {};
  const code = String(record[explains] ?? '');
  return [undelivered, errorSentence(code) ?? (record[key] || code)].filter(Boolean).join(': ');
}

const statusIn = ({ result }: Action, record: TelephonyRecord): string => {
  const field = recordShape(result.of).fields.find(({ status }) => status);
  return String(field && record[field.key]);
};

/** Whether the service keeps what an action created, to send it later. */
export const isScheduled = (action: Action, record: TelephonyRecord): boolean =>
  action.fields.some(({ schedule }) => schedule?.status === statusIn(action, record));

/**
 * Returns the error of an action whose record says that it has failed, such as a message to a number that can't get any.
 *
 * @returns undefined if the record doesn't say so
 */
export function recordFailure(action: Action, record: TelephonyRecord): TelephonyError | undefined {
  const { fields } = recordShape(action.result.of);
  const value = statusIn(action, record);
  if (statusMeaning(value) !== 'failure') return undefined;
  const { key = '', explains = '' } = fields.find((field) => field.explains) ?? {};
  const code = record[explains] ? String(record[explains]) : undefined;
  const known = code && errorSentence(code);
  const reason = known ? { text: known } : String(record[key] ?? '') || undefined;
  const status = sentence('The service reports the status "{value}".', {
    value: { text: value },
  });
  return new TelephonyError('rejected', sentences(status, reason), { serviceCode: code });
}

type Listener = () => void;

const listeners = new Map<string, Set<Listener>>();

/**
 * Calls a listener when this process receives an event of a record.
 *
 * @param sid the record's SID
 * @returns a function that unsubscribes it
 */
export function onStatusEvent(sid: string, listener: Listener): () => void {
  const all = listeners.get(sid) ?? new Set();
  listeners.set(sid, all.add(listener));
  return () => {
    all.delete(listener);
    if (all.size === 0) listeners.delete(sid);
  };
}

/** Calls the listeners of a record. */
export function emitStatusEvent(sid: unknown): void {
  for (const listener of [...(listeners.get(String(sid)) ?? [])]) listener();
}
