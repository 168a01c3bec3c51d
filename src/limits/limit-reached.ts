import type { LimitKey } from '../settings/spending.ts';
import { TelephonyError } from '../telephony-error.ts';
import { type Sentence, sentence, sentences } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';

/** Limits that refuse every further action of a batch. */
const ofAll: readonly LimitKey[] = ['stopped', 'perHour', 'perDay', 'callsPerHour'];
/** Limits that refuse the same action only for now. Of the quiet hours, some may be sent later. */
const ofNow: readonly LimitKey[] = [...ofAll, 'perRecipientPerHour', 'quietHours'];

const isOneOf = (keys: readonly string[], error: unknown) =>
  error instanceof TelephonyError &&
  error.code === 'limit-reached' &&
  keys.includes(error.field ?? '');

/** Whether a limit refused an action that it would also refuse for every other recipient. Nothing was sent. */
export const refusesEverything = (error: unknown): boolean => isOneOf(ofAll, error);

/** Whether a limit refused an action that can be sent later. Nothing was sent. */
export const endsLater = (error: unknown): boolean => isOneOf(ofNow, error);

/**
 * Creates the error of an action that a limit refuses.
 *
 * @param key the limit
 * @param reason says which limit, and why
 * @param details when it ends, in milliseconds since 1970, and what else to do
 */
export function limitReached(
  key: LimitKey,
  reason: Sentence,
  { until, advice }: { until?: number; advice?: Sentence | undefined } = {},
): TelephonyError {
  const settings = settingsLocation();
  const change =
    key === 'stopped'
      ? sentence('You can turn it off in {settings}.', { settings })
      : sentence('You can change the limit in {settings}.', { settings });
  const said = sentences(reason, sentence('Nothing was sent.'), advice, change);
  const retryAfter = until && Math.max(1, Math.ceil((until - Date.now()) / 1_000));
  return new TelephonyError('limit-reached', said, { field: key, retryAfter });
}
