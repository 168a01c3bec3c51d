import type { Entry, Store } from './store.ts';

/**
 * Writes an entry, unless another caller has written it since it was read.
 *
 * @param read the entry as it was read; undefined if there was none
 * @returns whether it was written
 */
export const writeEntry = (
  store: Store,
  kind: string,
  read: Entry | undefined,
  { key, value }: { key: string; value: unknown },
): Promise<boolean> => (read ? store.swap(kind, read, value) : store.insert(kind, { key, value }));
