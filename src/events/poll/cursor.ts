import type { EventDefinition } from '../../../generated/definition-types.ts';
import { isObject, parseObject } from '../../text/json.ts';
import type { PolledEvent } from './polled-event.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How far the service's clock may be ahead of this machine's. */
const maxAheadMs = 10 * minuteMs;

/** The cursor moves in steps, so that nothing is written while nothing happens. */
const stepMs = 10 * minuteMs;

/** For how long a failed delivery is retried. */
const retryForMs = 24 * hourMs;

/** The polling cursor of one event, stored as JSON. Times are in milliseconds since 1970. */
export interface Cursor {
  /** The URL of the account. The cursor of another account counts as missing. */
  account: string;
  /** When polling of the event began, by this machine's clock. */
  startedAt: number;
  /** Records created since then are watched, by the service's clock. Missing before the first poll. */
  from?: number;
  /** The events that were delivered or need not be: by key, when their record was created. */
  seen: Record<string, number>;
  /** The events whose delivery failed: by key, the time since which they are retried. */
  failed: Record<string, number>;
  /** How many records were watched in the last poll. */
  records: number;
  /** How many records couldn't be read in the last poll, if any. */
  unreadable?: number;
}

/** The cursors of several events, by their ids. */
export type Cursors = Record<string, Cursor>;

export const newCursor = (account: string, startedAt: number): Cursor => ({
  ...{ account, startedAt },
  ...{ seen: {}, failed: {}, records: 0 },
});

const isCursor = (value: unknown): value is Cursor => {
  const { startedAt, from = 0, seen, failed, records } = Object(value);
  return [startedAt, from, records].every(Number.isFinite) && isObject(seen) && isObject(failed);
};

/** Whether a stored cursor can be read. */
export function isReadable(text: string): boolean {
  const cursors = parseObject(text);
  return cursors !== undefined && Object.values(cursors).every(isCursor);
}

/** Reads the stored cursor. An event whose cursor can't be read, or is another account's, starts from now. */
export const readCursors = (account: string, text: string | undefined): Cursors =>
  Object.fromEntries(
    Object.entries(parseObject(text ?? '') ?? {}).filter(
      (entry): entry is [string, Cursor] => isCursor(entry[1]) && entry[1].account === account,
    ),
  );

/**
 * Whether a cursor covers all these events. Poll at once if it doesn't: what happens before the first poll of an event is not delivered.
 *
 * @param account the URL of the account
 * @param text the stored cursor
 */
export function coversEvents(
  account: string,
  text: string | null | undefined,
  events: readonly string[],
): boolean {
  const cursors = readCursors(account, text ?? undefined);
  return events.every((id) => id in cursors);
}

/** How long after its creation a record is watched, in milliseconds. */
const watchedMs = ({ polled }: EventDefinition) => (polled?.hours ?? 0) * hourMs;

/** When polling of an event began, by the service's clock, in whole seconds like the times of records. */
const startOf = ({ startedAt }: Cursor, now: number) =>
  Math.floor((now - Math.max(Date.now() - startedAt, 0)) / 1_000) * 1_000;

/**
 * Returns the creation time from which on records must be read.
 *
 * @param now the service's time
 */
export const readFrom = (definition: EventDefinition, cursor: Cursor, now: number): number =>
  cursor.from ?? startOf(cursor, now) - watchedMs(definition);

/**
 * Returns the events of a list that are new, oldest first. In the first poll, marks events from before polling began as seen.
 *
 * @param listed the events of the list, newest first
 */
export function findNew(
  definition: EventDefinition,
  cursor: Cursor,
  listed: PolledEvent[],
  now: number,
): PolledEvent[] {
  const [from, start] = [readFrom(definition, cursor, now), startOf(cursor, now)];
  const found = new Map<string, PolledEvent>();
  for (const one of listed) {
    const { key } = one.identity;
    if (one.createdAt < from || cursor.seen[key] !== undefined) continue;
    if (cursor.from === undefined && one.changedAt < start) cursor.seen[key] = one.createdAt;
    else found.set(key, one);
  }
  return [...found.values()].reverse();
}

/** Records that an event was delivered, or need not be. */
export function markSeen({ seen }: Cursor, { identity, createdAt }: PolledEvent): void {
  seen[identity.key] = createdAt;
}

/** Records that an event could not be delivered. It is retried for a day. */
export function markFailed(cursor: Cursor, event: PolledEvent, now: number): void {
  const { key } = event.identity;
  cursor.failed[key] ??= now;
  if (now - cursor.failed[key] >= retryForMs) markSeen(cursor, event);
}

/**
 * Advances a cursor. Drops what is older than the records that it reads, except what is still to be delivered.
 *
 * @param pending the new events that weren't delivered yet
 * @param newest when the newest record of the list was created
 */
export function advance(
  definition: EventDefinition,
  cursor: Cursor,
  pending: PolledEvent[],
  { now, newest }: { now: number; newest: number },
): void {
  // If a response is dated far in the future, the cursor must not skip what happens until then.
  const plausibleNow = Math.min(now, Date.now() + maxAheadMs);
  const start = Math.floor((plausibleNow - watchedMs(definition)) / stepMs) * stepMs;
  const afterNewest = newest + 1;
  const oldest = pending.reduce((least, { createdAt }) => Math.min(least, createdAt), start);
  const from = Math.max(
    Math.min(oldest, afterNewest),
    cursor.from ?? Math.min(readFrom(definition, cursor, now), afterNewest),
  );
  cursor.from = from;
  for (const [key, createdAt] of Object.entries(cursor.seen))
    if (createdAt < from) delete cursor.seen[key];
  const keys = new Set(pending.map(({ identity }) => identity.key));
  for (const key of Object.keys(cursor.failed)) if (!keys.has(key)) delete cursor.failed[key];
}
