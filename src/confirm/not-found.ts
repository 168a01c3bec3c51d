import type { Found } from './look-for.ts';
import type { Proof } from './proof.ts';

/** What is said of a record that was looked for and not found. */
export function notFound({ source }: Proof, { wasRead, isAmbiguous, isMissing }: Found): string {
  if (isMissing) return `The service does not show "${source.name}", where it would be.`;
  const until = `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (isAmbiguous)
    return `"${source.name}" has equal ones until ${until}, which may be of other attempts.`;
  return wasRead
    ? `It was looked for in "${source.name}" until ${until} and could not be found.`
    : `It could not be looked for, since "${source.name}" could not be read until ${until}.`;
}
