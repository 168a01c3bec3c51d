/**
 * The kinds of a batch's entries. A stop request is a separate entry, so it doesn't conflict with the process that runs
 * the batch.
 */
export const kinds = {
  previews: 'batch previews',
  batches: 'batches',
  stops: 'batch stops',
  history: 'batch history',
};
