/** The statistics of some rounds. */
export interface Summary {
  median: number;
  /** The middle half of the rounds. */
  quartiles: [number, number];
  /** The minimum and the maximum. */
  range: [number, number];
}

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

export function quantile(numbers: number[], share: number): number {
  const all = sorted(numbers);
  const at = (place: number) => all[place] ?? Number.NaN;
  const place = (all.length - 1) * share;
  const low = at(Math.floor(place));
  return low + (at(Math.ceil(place)) - low) * (place % 1);
}

export const median = (numbers: number[]) => quantile(numbers, 0.5);

export const summary = (numbers: number[]): Summary => ({
  median: median(numbers),
  quartiles: [quantile(numbers, 0.25), quantile(numbers, 0.75)],
  range: [Math.min(...numbers), Math.max(...numbers)],
});

/**
 * Compares two contenders round by round, because other load on the machine affects both contenders of a round.
 *
 * @param ours one number per round
 * @param theirs the numbers of the same rounds
 */
export const ratio = (ours: number[], theirs: number[]) =>
  summary(ours.map((one, round) => one / (theirs[round] ?? Number.NaN)));
