/** How many records a list has at most, when its node does not say. */
export const usualLimit = 1000;

/**
 * How many records a list has at most.
 *
 * @param typed what its node says; usual when empty
 * @returns undefined for what is no number of records
 */
export function readLimit(typed: unknown): number | undefined {
  const text = String(typed ?? '').trim();
  if (text === '') return usualLimit;
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}
