/** The default maximum number of records in a list. */
export const usualLimit = 1000;

/**
 * Parses the maximum number of records.
 *
 * @param typed the node's setting; empty means the default
 * @returns undefined if it isn't a positive integer
 */
export function readLimit(typed: unknown): number | undefined {
  const text = String(typed ?? '').trim();
  if (text === '') return usualLimit;
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}
