const hour = 3_600_000;

/** Times of batches, in milliseconds. */
export const batchLimits = {
  /** How long a batch and its result are kept: a month covers a holiday and a monthly campaign. */
  keptMs: 30 * 24 * hour,
  /** How long previews show what single actions sent. */
  singlesMs: 24 * hour,
  /** How long a preview can start a batch. After that it is outdated, and its numbers and texts are deleted. */
  previewMs: hour,
  /** How often the process that runs a batch renews its lease.. */
  renewMs: 1_000,
  /**
   * After how long without a renewal a batch counts as interrupted: five missed renewals. A process that was only slow can renew its
   * lease again, as long as no one has resumed its batch.
   */
  leaseMs: 5_000,
  /** How long a click on a preview that was shown again counts as the second click of a double click. */
  doubleClickMs: 2_000,
  /** How often to try to record outcomes while the store is unavailable, and for how long. */
  recordEveryMs: 500,
  recordForMs: 24 * hour,
};

/** How many of the newest batches of an action a new one takes into account. */
export const mostEarlierBatches = 50;
