import type { Entry, Store } from '../store/store.ts';

/** The kinds of a batch's entries. A stop request is one of its own: it doesn't conflict with the process that runs the batch. */
export const kinds = {
  previews: 'batch previews',
  batches: 'batches',
  stops: 'batch stops',
  history: 'batch history',
};

/** Writes an entry if it is as it was read. */
export const write = (
  store: Store,
  read: Entry | undefined,
  kind: string,
  key: string,
  value: unknown,
): Promise<boolean> => (read ? store.swap(kind, read, value) : store.insert(kind, { key, value }));
