import type { Action } from '../../generated/definition-types.ts';
import type { Values } from '../input/check-values.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Context } from '../send/perform.ts';
import { utcText } from '../text/format.ts';
import {
  inEnglish,
  type Said,
  type Sentence,
  sentence,
  sentenceOf,
  sentences,
  withSentence,
} from '../text/sentence.ts';
import { findInLog, type LogCheck } from './find-in-log.ts';
import { type Claimant, ledgerOf } from './ledger.ts';
import { type LogQuery, logQueryOf } from './log-query.ts';

/** Returns the sentence that says why an action couldn't be confirmed. */
export function unconfirmedReason(
  { source }: LogQuery,
  { hasUnreadable, wasRead, isAmbiguous, isMissing, isStoreAway }: LogCheck,
): Sentence {
  const log = { text: source.name };
  if (isMissing)
    return sentence('The plugin could not check the outcome, because the service has no "{log}".', {
      log,
    });
  const values = { log, until: utcText(new Date()) };
  if (isStoreAway)
    return sentence(
      'The plugin checked "{log}" until {until}. It contains matching entries, which may belong to other attempts: the plugin could not read its store, which knows them.',
      values,
    );
  if (isAmbiguous)
    return sentence(
      'The plugin checked "{log}" until {until}. It contains identical entries, which may belong to other attempts.',
      values,
    );
  if (hasUnreadable)
    return sentence(
      'The plugin checked "{log}" until {until}. It contains entries that the plugin can\'t read; one of them may belong to this attempt.',
      values,
    );
  return wasRead
    ? sentence('The plugin checked "{log}" until {until} and did not find it.', values)
    : sentence('The plugin tried to check "{log}" until {until}, but could not read it.', values);
}

/** The outcome of an action: its record, or the reason why it is unknown. */
export type Confirmation<Found = TelephonyRecord> =
  | { record: Found; problem?: undefined }
  | { record?: undefined; problem: string };

const unconfirmed = (reason: Said): Confirmation =>
  withSentence({ problem: inEnglish(reason) }, reason);

/** Returns why the outcome of an action is unknown, as a sentence that can be translated. */
export const problemIn = (confirmation: Confirmation<unknown>): Said =>
  sentenceOf(confirmation) ?? confirmation.problem ?? '';

/**
 * Checks the log for an action that was started before. Sends nothing.
 *
 * @param action the definition
 * @param values the checked values of its fields
 * @param since when it began, by the service's clock
 */
export async function confirm(
  context: Context,
  action: Action,
  values: Values,
  since: Date,
): Promise<Confirmation> {
  const { limits, root } = context.connection;
  const query = logQueryOf(action, values);
  if (!query || limits.confirmTimeoutMs === 0) return unconfirmed({ text: action.ifUnknown });
  const sinceMs = since.getTime();
  const { clock } = context.connection;
  // The action may be one that was sent or confirmed since then, and whose outcome its caller lost.
  const mayBeOurs = (claimant: Claimant) =>
    claimant.since === undefined
      ? (clock.at(claimant.sentAt ?? 0)?.latest ?? 0) >= sinceMs
      : claimant.since === sinceMs;
  const search = { since: () => sinceMs, claimant: { since: sinceMs }, mayBeOurs };
  const found = await findInLog(context, query, search, ledgerOf(root));
  if (found.record) return { record: found.record };
  return unconfirmed(sentences(unconfirmedReason(query, found), { text: action.ifUnknown }));
}
