import { utcText } from '../text/format.ts';
import type { LogCheck } from './find-in-log.ts';
import type { LogQuery } from './log-query.ts';

/** Returns the sentence that says why an action couldn't be confirmed. */
export function unconfirmedReason(
  { source }: LogQuery,
  { hasUnreadable, wasRead, isAmbiguous, isMissing, isStoreAway }: LogCheck,
): string {
  if (isMissing)
    return `The plugin could not check the outcome, because the service has no "${source.name}".`;
  const until = utcText(new Date());
  if (isStoreAway)
    return `The plugin checked "${source.name}" until ${until}. It contains matching entries, which may belong to other attempts: the plugin could not read its store, which knows them.`;
  if (isAmbiguous)
    return `The plugin checked "${source.name}" until ${until}. It contains identical entries, which may belong to other attempts.`;
  if (hasUnreadable)
    return `The plugin checked "${source.name}" until ${until}. It contains entries that the plugin can't read; one of them may belong to this attempt.`;
  return wasRead
    ? `The plugin checked "${source.name}" until ${until} and did not find it.`
    : `The plugin tried to check "${source.name}" until ${until}, but could not read it.`;
}
