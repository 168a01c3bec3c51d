import { TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';

/** An entry to be stored. */
export interface NewEntry {
  /** Any text, unique within a kind. */
  key: string;
  /** The value by which `find` finds it. It never changes. */
  index?: string;
  /** Plain data that JSON can represent. */
  value: unknown;
}

/** A stored entry. */
export interface Entry extends NewEntry {
  /** When it was written last, in milliseconds since 1970. */
  at: number;
  /** Different after each write, so that `swap` changes only what its caller has read. Random: a number could return after a deletion. */
  version: string;
}

/**
 * Stores the state that outlives a process, grouped by kind. Each verb is atomic among all processes that share the store, and rejects if
 * the store can't be reached. If a process is killed during a verb, the verb is done or not done, never half.
 *
 * Only a swap changes an entry, so values that have to agree are one entry: all events of a record are one, and need no lock.
 * No verb deletes one entry, because that could hit what another process has just written. Swap in an empty value, and let `expire` delete it.
 */
export interface Store {
  get(kind: string, key: string): Promise<Entry | undefined>;
  /** Resolves to false if the key exists. */
  insert(kind: string, entry: NewEntry): Promise<boolean>;
  /** Replaces the value of an entry. Resolves to false if it was changed or deleted since it was read. */
  swap(kind: string, read: Entry, value: unknown): Promise<boolean>;
  /** Returns all entries with an index, in no particular order. */
  find(kind: string, index: string): Promise<Entry[]>;
  /** Deletes the entries of a kind that were last written before a time. */
  expire(kind: string, before: number): Promise<void>;
}

/** A store that also deletes what belongs together. */
export interface LogStore extends Store {
  /** Deletes all entries with an index. Nothing may insert one with this index meanwhile, or later. */
  clear(kind: string, index: string): Promise<void>;
}

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
  entry: NewEntry,
): Promise<boolean> => (read ? store.swap(kind, read, entry.value) : store.insert(kind, entry));

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

/**
 * Says that a store can't use its file.
 *
 * @param reason what the operating system or the database says
 */
export const unusableFileText = (
  path: string,
  reason: string | undefined,
  advice = 'Check that its disk has free space and that this user can write to it',
): string => `the plugin could not use its file ${path} (${reason}). ${advice}, and try again.`;

/**
 * Reports that the store failed before anything was sent.
 *
 * @throws {TelephonyError} the same error, or one with code `unavailable`
 */
export function storeProblem(error: unknown): never {
  if (error instanceof TelephonyError) throw error;
  const { code } = Object(error) as { code?: unknown };
  throw new TelephonyError(
    'unavailable',
    code
      ? sentence(
          'Nothing was sent: the plugin could not use its store ({code}). Try again in a moment.',
          { code: String(code) },
        )
      : sentence('Nothing was sent: the plugin could not use its store. Try again in a moment.'),
  );
}
