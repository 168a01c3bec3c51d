/** The amount of measurements. */
export interface Effort {
  rounds: number;
  /** Per round. */
  calls: number;
  /** In a long list. */
  records: number;
  /** For a service with a rate limit. */
  messages: number;
  /** The sizes of batches. */
  batchRows: number[];
  /** Per round, for the pages of a list in Saltcorn. */
  seconds: number;
  /** Per round, for nodes of Node-RED. */
  flowMessages: number;
  /** Whether to measure NocoBase too, which takes a minute to start. */
  hasNocobase: boolean;
}

export const efforts: Record<'full' | 'quick', Effort> = {
  full: {
    rounds: 9,
    calls: 2000,
    records: 100_000,
    messages: 5_000,
    batchRows: [250, 1_000, 10_000, 100_000],
    seconds: 3,
    flowMessages: 1000,
    hasNocobase: true,
  },
  quick: {
    rounds: 1,
    calls: 50,
    records: 10_000,
    messages: 150,
    batchRows: [250, 1_000],
    seconds: 0.5,
    flowMessages: 50,
    hasNocobase: false,
  },
};
