import type { EventDefinition } from '../../generated/definition-types.ts';
import { isObject, parseObject } from '../answer/json.ts';
import type { PolledEvent } from './polled-event.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How far a mark may be ahead of the clock of this machine, in milliseconds. */
const ahead = 10 * minute;

/** How long an event that cannot be told is tried again, in milliseconds. */
const tried = 24 * hour;

/** What is kept of an event between two polls, as JSON. All times are in milliseconds since 1970. */
export interface PollMark {
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

/** The marks of several events, by their ids. */
export type PollMarks = Record<string, PollMark>;

export const newMark = (account: string, begun: number): PollMark => ({
  ...{ account, begun },
  ...{ seen: {}, failed: {}, records: 0 },
});

const isMark = (value: unknown): value is PollMark => {
  const { begun, from = 0, seen, failed, records } = Object(value);
  return [begun, from, records].every(Number.isFinite) && isObject(seen) && isObject(failed);
};

/** Whether what was kept can be read. */
export function isWhole(text: string): boolean {
  const marks = parseObject(text);
  return marks !== undefined && Object.values(marks).every(isMark);
}

/** Reads what was kept. An event whose mark cannot be read, or is another account's, is set up anew. */
export const readMarks = (account: string, text: string | undefined): PollMarks =>
  Object.fromEntries(
    Object.entries(parseObject(text ?? '') ?? {}).filter(
      (entry): entry is [string, PollMark] => isMark(entry[1]) && entry[1].account === account,
    ),
  );

/**
 * Whether all these events were asked for already. One that was not is to be asked for at once: what comes before that is not told.
 *
 * @param account the address of the account
 * @param soFar what was kept of how far they were read
 */
export function wereAskedFor(
  account: string,
  soFar: string | null | undefined,
  events: readonly string[],
): boolean {
  const marks = readMarks(account, soFar ?? undefined);
  return events.every((id) => id in marks);
}

/** How long after a record was made it is looked at, in milliseconds. */
const window = ({ polled }: EventDefinition) => (polled?.hours ?? 0) * hour;

/** When an event was set up, by the clock of the service. Records say it in whole seconds. */
const setUpAt = ({ begun }: PollMark, now: number) =>
  Math.floor((now - Math.max(Date.now() - begun, 0)) / 1_000) * 1_000;

/**
 * From when on records are to be read.
 *
 * @param now what time it is at the service
 */
export const readFrom = (definition: EventDefinition, mark: PollMark, now: number): number =>
  mark.from ?? setUpAt(mark, now) - window(definition);

/**
 * What is new of what a list shows, beginning at its end. Of what was there before the event was set up nothing is.
 *
 * @param shown the newest first
 */
export function newsOf(
  definition: EventDefinition,
  mark: PollMark,
  shown: PolledEvent[],
  now: number,
): PolledEvent[] {
  const [from, setUp] = [readFrom(definition, mark, now), setUpAt(mark, now)];
  const news = new Map<string, PolledEvent>();
  for (const one of shown) {
    const { key } = one.note;
    if (one.made < from || mark.seen[key] !== undefined) continue;
    if (mark.from === undefined && one.changed < setUp) mark.seen[key] = one.made;
    else news.set(key, one);
  }
  return [...news.values()].reverse();
}

/** Notes that an event was told, or need not be. */
export function settle({ seen }: PollMark, { note, made }: PolledEvent): void {
  seen[note.key] = made;
}

/** Notes that an event could not be told. After a day nobody tries that again. */
export function fail(mark: PollMark, event: PolledEvent, now: number): void {
  const { key } = event.note;
  mark.failed[key] ??= now;
  if (now - mark.failed[key] >= tried) settle(mark, event);
}

/**
 * Puts a mark forward: what is older than it is looked at is forgotten, but for what has still to be told.
 *
 * @param pending what is new and was not told yet
 * @param newest when the newest record of the list was made
 */
export function putForward(
  definition: EventDefinition,
  mark: PollMark,
  pending: PolledEvent[],
  { now, newest }: { now: number; newest: number },
): void {
  // An answer can be dated far ahead: what comes then, and what becomes of what is there, is to be looked at all the same.
  const sure = Math.min(now, Date.now() + ahead);
  // In steps, so that nothing is to be written where nothing has happened.
  const start = Math.floor((sure - window(definition)) / (10 * minute)) * 10 * minute;
  const known = newest + 1;
  const oldest = pending.reduce((least, { made }) => Math.min(least, made), start);
  const from = Math.max(
    Math.min(oldest, known),
    mark.from ?? Math.min(readFrom(definition, mark, now), known),
  );
  mark.from = from;
  for (const [key, made] of Object.entries(mark.seen)) if (made < from) delete mark.seen[key];
  const keys = new Set(pending.map(({ note }) => note.key));
  for (const key of Object.keys(mark.failed)) if (!keys.has(key)) delete mark.failed[key];
}
