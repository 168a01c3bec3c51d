import type { LogCheck } from './find-in-log.ts';
import type { LogQuery } from './log-query.ts';

/** Returns the sentence that says why an action couldn't be confirmed. */
export function unconfirmedReason(
  { source }: LogQuery,
  { wasRead, isAmbiguous, isMissing }: LogCheck,
): string {
  if (isMissing)
    return `The message log could not be checked, because the service has no "${source.name}".`;
  const until = `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (isAmbiguous)
    return `The plugin checked "${source.name}" until ${until}. It contains identical entries, which may belong to other attempts.`;
  return wasRead
    ? `The plugin checked "${source.name}" until ${until} and did not find it.`
    : `It could not be confirmed, because "${source.name}" could not be read until ${until}.`;
}
