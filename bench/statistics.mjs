const sorted = (numbers) => [...numbers].sort((a, b) => a - b);

function quantile(numbers, share) {
  const all = sorted(numbers);
  const place = (all.length - 1) * share;
  const low = all[Math.floor(place)];
  return low + (all[Math.ceil(place)] - low) * (place % 1);
}

export const median = (numbers) => quantile(numbers, 0.5);

/** The median of some rounds, the quarter of them on each side of it, and the extremes. */
export const summary = (numbers) => ({
  median: median(numbers),
  quartiles: [quantile(numbers, 0.25), quantile(numbers, 0.75)],
  range: [Math.min(...numbers), Math.max(...numbers)],
});

/**
 * How two contenders compare: round by round, since whatever else the machine does, it does to both of a round.
 *
 * @param {number[]} ours one number a round
 * @param {number[]} theirs of the same rounds
 */
export const ratio = (ours, theirs) => summary(ours.map((one, round) => one / theirs[round]));
