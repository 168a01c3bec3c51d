/**
 * The kinds of a batch's entries, and of single actions. A stop request is a separate entry, so it doesn't conflict with the process that runs
 * the batch.
 */
export const kinds = {
  previews: 'batch previews',
  previewRows: 'batch preview rows',
  batches: 'batches',
  rows: 'batch rows',
  changes: 'batch changes',
  keys: 'batch keys',
  stops: 'batch stops',
  history: 'batch history',
  singles: 'single sends',
};
