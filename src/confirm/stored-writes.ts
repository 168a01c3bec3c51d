import { expireUsage } from '../limits/usage.ts';
import { storeHash } from '../store/row-store.ts';
import { changeEntry, type Store, storeProblem } from '../store/store.ts';
import type { Connection } from '../wire/connection.ts';
import type { Claimant } from './ledger.ts';
import type { LogQuery } from './log-query.ts';

/** The kinds of entries: actions that were sent, and the records that belong to them. */
const kinds = { writes: 'writes', claims: 'claims' };

/** How long entries stay in the store, in milliseconds: as long as a batch recognises its rows. */
const keptMs = 86_400_000;

const indexOf = ({ root }: Connection, { hash }: LogQuery) => storeHash(root, hash);

/**
 * Stores that an action is about to be sent, so that no other process takes its record for the one of an equal action. If it is sent
 * again, stores the new time. Has no effect without a store.
 *
 * @throws {TelephonyError} with code `unavailable` if it can't be stored
 */
export async function storeWrite(connection: Connection, query: LogQuery, key: string) {
  const { store } = connection;
  const value = { identity: query.identity, isVague: query.isVague };
  try {
    const index = indexOf(connection, query);
    const isNew = await store?.insert(kinds.writes, { key, index, value });
    if (store && !isNew) await changeEntry(store, kinds.writes, key, () => value);
  } catch (error) {
    storeProblem(error);
  }
}

/** Stores that an action was not sent after all. If that fails, equal actions of other processes can't be confirmed. */
export async function withdrawWrite({ store }: Connection, key: string): Promise<void> {
  if (store) await changeEntry(store, kinds.writes, key, (value) => (value ? null : undefined));
}

/** Stores who a record belongs to. Resolves to false if it belongs to someone else. */
export async function storeClaim(
  connection: Connection,
  query: LogQuery,
  sid: string,
  { id, since, identity }: Claimant,
): Promise<boolean> {
  const { store, root } = connection;
  if (!store) return true;
  const [key, index] = [storeHash(root, sid), indexOf(connection, query)];
  return store.insert(kinds.claims, { key, index, value: { sid, id, since, identity } });
}

/** What the store knows of equal actions. */
export interface StoredWrites {
  /** The actions whose record is unknown. */
  open: (Claimant & { id: string })[];
  /** The records that belong to others. */
  claims: Map<string, Claimant>;
}

/** Reads the stored actions whose records the query could confuse. */
export async function storedWrites(connection: Connection, query: LogQuery): Promise<StoredWrites> {
  const index = indexOf(connection, query);
  const startedAt = Date.now() - performance.now();
  const find = async (kind: string) =>
    ((await connection.store?.find(kind, index)) ?? []).map(({ at, ...entry }) => ({
      ...entry,
      sentAt: at - startedAt,
    }));
  const [writes, found] = await Promise.all([find(kinds.writes), find(kinds.claims)]);
  const sentAts = new Map(writes.map(({ key, sentAt }) => [key, sentAt]));
  const claims = found.map(({ value, sentAt }): [sid: string, Claimant] => {
    const { sid, id, since, identity } = value as Claimant & { sid: string };
    return [sid, { id, since, identity, sentAt: sentAts.get(id ?? '') ?? sentAt }];
  });
  const claimed = new Set(claims.map(([, { id }]) => id));
  const isConfusable = (value: unknown) => {
    const { identity, isVague } = value as Pick<LogQuery, 'identity' | 'isVague'>;
    return isVague || query.isVague || identity === query.identity;
  };
  const open = writes
    .filter(({ key, value }) => value && !claimed.has(key) && isConfusable(value))
    .map(({ key, sentAt, value }) => ({
      id: key,
      sentAt,
      identity: (value as Claimant).identity,
    }));
  return { open, claims: new Map(claims) };
}

/** Deletes what the store knows of sent actions, once it is too old to matter. */
export async function expireWrites(store: Store): Promise<void> {
  await expireUsage(store);
  for (const kind of Object.values(kinds)) await store.expire(kind, Date.now() - keptMs);
}
