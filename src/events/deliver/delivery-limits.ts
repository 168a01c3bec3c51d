const day = 24 * 3_600_000;

/** Times of the delivery log, in milliseconds. */
export const deliveryLimits = {
  /** How long a delivered event is remembered. The service repeats an event for hours; a month also covers an outage. */
  keptMs: 30 * day,
  /** After how long the process that started a delivery counts as ended. A delivery itself takes ten seconds at most. */
  longestMs: 15_000,
  /** How often to check whether another process has delivered an event of the same record. */
  waitMs: 50,
};
