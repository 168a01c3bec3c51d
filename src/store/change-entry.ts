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

/**
 * Changes an entry. Tries again if another caller has changed it meanwhile.
 *
 * @param next returns the new value; undefined to leave the entry as it is
 * @returns whether it was changed
 */
export async function changeEntry(
  store: Store,
  kind: string,
  key: string,
  next: (value: unknown) => unknown,
): Promise<boolean> {
  for (;;) {
    const entry = await store.get(kind, key);
    const value = next(entry?.value);
    if (value === undefined) return false;
    if (await writeEntry(store, kind, entry, { key, value })) return true;
  }
}
