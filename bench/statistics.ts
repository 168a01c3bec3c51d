/** What some rounds gave. */
export interface Summary {
  median: number;
  /** The quarter of the rounds on each side of the median. */
  quartiles: [number, number];
  /** The least and the most. */
  range: [number, number];
}

const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

function quantile(numbers: number[], share: number) {
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
 * How two contenders compare: round by round, since whatever else the machine does, it does to both of a round.
 *
 * @param ours one number a round
 * @param theirs of the same rounds
 */
export const ratio = (ours: number[], theirs: number[]) =>
  summary(ours.map((one, round) => one / (theirs[round] ?? Number.NaN)));
