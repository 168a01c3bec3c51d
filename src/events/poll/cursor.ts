import type { EventDefinition } from '../../../generated/definition-types.ts';
import { isObject, parseObject } from '../../answer/json.ts';
import type { PolledEvent } from './polled-event.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How much a cursor may be ahead of the clock of this machine, in milliseconds. */
const ahead = 10 * minute;

/** How long an event that cannot be told is tried again, in milliseconds. */
const tried = 24 * hour;

/** What is kept of an event between two polls, as JSON. All times are in milliseconds since 1970. */
export interface Cursor {
  /** The address of the account whose lists were read. Another one is read from when it was set up. */
  account: string;
  /** When it was set up, by the clock of this machine. */
  begun: number;
  /** From when on records are looked at, by the clock of the service; not known before they were read for the first time. */
  from?: number;
  /** Of what was seen of records since then: when the record was made, by the key of the event. */
  seen: Record<string, number>;
  /** Since when it is tried again, of what could not be told, by the key of the event. */
  failed: Record<string, number>;
  /** How many records there were to look at the last time. */
  records: number;
}

/** The cursors of several events, by their ids. */
export type Cursors = Record<string, Cursor>;

export const newCursor = (account: string, begun: number): Cursor => ({
  ...{ account, begun },
  ...{ seen: {}, failed: {}, records: 0 },
});

const isCursor = (value: unknown): value is Cursor => {
  const { begun, from = 0, seen, failed, records } = Object(value);
  return [begun, from, records].every(Number.isFinite) && isObject(seen) && isObject(failed);
};

/** Whether what was kept can be read. */
export function isWhole(text: string): boolean {
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
 * Whether a cursor covers all these events. One that it doesn't cover is to be polled at once: what happens before is not delivered.
 *
 * @param account the address of the account
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
const window = ({ polled }: EventDefinition) => (polled?.hours ?? 0) * hour;

/** When an event was set up, by the clock of the service. Records say it in whole seconds. */
const setUpAt = ({ begun }: Cursor, now: number) =>
  Math.floor((now - Math.max(Date.now() - begun, 0)) / 1_000) * 1_000;

/**
 * From when on records are to be read.
 *
 * @param now what time it is at the service
 */
export const readFrom = (definition: EventDefinition, cursor: Cursor, now: number): number =>
  cursor.from ?? setUpAt(cursor, now) - window(definition);

/**
 * What is new of what a list shows, beginning at its end. Of what was there before the event was set up nothing is.
 *
 * @param shown the newest first
 */
export function newsOf(
  definition: EventDefinition,
  cursor: Cursor,
  shown: PolledEvent[],
  now: number,
): PolledEvent[] {
  const [from, setUp] = [readFrom(definition, cursor, now), setUpAt(cursor, now)];
  const news = new Map<string, PolledEvent>();
  for (const one of shown) {
    const { key } = one.note;
    if (one.made < from || cursor.seen[key] !== undefined) continue;
    if (cursor.from === undefined && one.changed < setUp) cursor.seen[key] = one.made;
    else news.set(key, one);
  }
  return [...news.values()].reverse();
}

/** Records that an event was delivered, or need not be. */
export function settle({ seen }: Cursor, { note, made }: PolledEvent): void {
  seen[note.key] = made;
}

/** Records that an event could not be delivered. It is retried for a day. */
export function fail(cursor: Cursor, event: PolledEvent, now: number): void {
  const { key } = event.note;
  cursor.failed[key] ??= now;
  if (now - cursor.failed[key] >= tried) settle(cursor, event);
}

/**
 * Advances a cursor: forgets what is older than what it reads, except what is still to be delivered.
 *
 * @param pending what is new and was not told yet
 * @param newest when the newest record of the list was made
 */
export function advance(
  definition: EventDefinition,
  cursor: Cursor,
  pending: PolledEvent[],
  { now, newest }: { now: number; newest: number },
): void {
  // A response can be dated far ahead: new records and changes before that date count all the same.
  const sure = Math.min(now, Date.now() + ahead);
  // In steps, so that nothing is to be written where nothing has happened.
  const start = Math.floor((sure - window(definition)) / (10 * minute)) * 10 * minute;
  const known = newest + 1;
  const oldest = pending.reduce((least, { made }) => Math.min(least, made), start);
  const from = Math.max(
    Math.min(oldest, known),
    cursor.from ?? Math.min(readFrom(definition, cursor, now), known),
  );
  cursor.from = from;
  for (const [key, made] of Object.entries(cursor.seen)) if (made < from) delete cursor.seen[key];
  const keys = new Set(pending.map(({ note }) => note.key));
  for (const key of Object.keys(cursor.failed)) if (!keys.has(key)) delete cursor.failed[key];
}
