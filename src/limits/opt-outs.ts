import pLimit from 'p-limit';
import type { Action, EventDefinition } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { inSlices } from '../async/in-slices.ts';
import { isSenderField, recipientField } from '../definition/fields.ts';
import { recipientRefusal, serviceError } from '../response/error-sentence.ts';
import { storeHash } from '../store/row-store.ts';
import { type NewEntry, type Store, storeProblem, writeEntry } from '../store/store.ts';
import { type Said, sentence, sentences } from '../text/sentence.ts';
import { type Connection, connectionOf } from '../wire/connection.ts';

/** The kind of the entries. They don't expire: people who opted out stay opted out. */
const kind = 'opt-outs';

/** Whether a recipient opted out of messages from a sender. */
interface OptOut {
  isOut: boolean;
  /** The last reports of it. The service can repeat one after a later one. */
  reports: string[];
}

const mostReports = 8;

/** A message or a report: a number or a messaging service, and the number that gets its messages. */
interface Ends {
  senders: string[];
  recipient: string;
}

type Values = Readonly<Record<string, unknown>>;

const textsOf = (values: Values, keys: string[]) =>
  keys.map((key) => String(values[key] ?? '')).filter((text) => text !== '');

/** Returns who sends and who gets a message; undefined if people can't opt out of what an action sends. */
function endsOf(action: Action, values: Values): Ends | undefined {
  const field = action.counts === 'message' ? recipientField(action) : undefined;
  const [recipient] = textsOf(values, field ? [field.key] : []);
  const senders = action.fields.filter(isSenderField).map(({ key }) => key);
  return recipient === undefined ? undefined : { recipient, senders: textsOf(values, senders) };
}

const keyOf = ({ root }: Connection, sender: string, recipient: string) =>
  storeHash(root, sender, recipient);

/** Returns the index of what is known of a recipient. 256 parts of all recipients have one each, so that many rows need few reads. */
const indexOf = ({ root }: Connection, recipient: string) =>
  `${storeHash(root)} ${storeHash(recipient).slice(0, 2)}`;

/** @param next returns the new value; undefined to leave it as it is */
async function change(
  store: Store,
  { key, index }: Omit<NewEntry, 'value'>,
  next: (known: OptOut | undefined) => OptOut | undefined,
): Promise<void> {
  for (;;) {
    const entry = await store.get(kind, key);
    const value = next(entry?.value as OptOut | undefined);
    if (!value) return;
    if (await writeEntry(store, kind, entry, { key, ...(index && { index }), value })) return;
  }
}

async function note(
  connection: Connection,
  { senders, recipient }: Ends,
  isOut: boolean,
  report?: string,
): Promise<void> {
  const { store } = connection;
  if (!store) return;
  const index = indexOf(connection, recipient);
  for (const sender of senders)
    await change(store, { key: keyOf(connection, sender, recipient), index }, (known) => {
      const reports = known?.reports ?? [];
      if (report === undefined) return known?.isOut === isOut ? undefined : { isOut, reports };
      if (reports.includes(report)) return undefined;
      return { isOut, reports: [...reports, report].slice(-mostReports) };
    });
}

/** What an event says about a recipient's wish. */
export type ReportedOptOut = Ends & { isOut: boolean };

/** Returns what an event says about whether someone wants messages; undefined if it says nothing. */
export function reportedOptOut(
  { optOut }: EventDefinition,
  event: object,
): ReportedOptOut | undefined {
  if (!optOut) return undefined;
  const record: Values = { ...event };
  const { is, recipient: key, senders, ifError } = optOut;
  if (ifError && serviceError(record[ifError])?.recipient !== 'opted-out') return undefined;
  const [recipient] = textsOf(record, [key]);
  return recipient === undefined
    ? undefined
    : { recipient, senders: textsOf(record, senders), isOut: is === 'out' };
}

/**
 * Notes what an event says about whether someone wants messages.
 *
 * @param report identifies the event, so that a repetition changes nothing
 * @throws {TelephonyError} with code `unavailable` if it can't be stored
 */
export const noteReport = (
  connection: Connection,
  { isOut, ...ends }: ReportedOptOut,
  report: string,
): Promise<void> =>
  note(connection, ends, isOut, storeHash(report).slice(0, 16)).catch(storeProblem);

/** Notes that the service refused a message because its recipient opted out. Other errors say nothing about that. Never rejects. */
export async function noteRefusal(
  connection: Connection,
  action: Action,
  values: Values,
  error: unknown,
): Promise<void> {
  const ends = recipientRefusal(error) === 'opted-out' && endsOf(action, values);
  // The error says it anyway.
  if (ends) await note(connection, ends, true).catch(() => {});
}

/**
 * Notes that the service accepted a message, so that its recipient is subscribed. Of a messaging service, it checks that only
 * later. Never rejects.
 *
 * @param since when the message was begun, in milliseconds since 1970: who opted out after that, stays opted out
 */
export async function noteAccepted(
  connection: Connection,
  action: Action,
  values: Values,
  since: number,
): Promise<void> {
  const { store } = connection;
  const ends = endsOf(action, values);
  const hasPool = action.fields.some(
    ({ key, purpose }) => purpose === 'sender-pool' && values[key] !== undefined,
  );
  if (!store || !ends || hasPool) return;
  try {
    for (const sender of ends.senders) {
      const entry = await store.get(kind, keyOf(connection, sender, ends.recipient));
      const known = entry?.value as OptOut | undefined;
      // If it changed meanwhile, that is newer.
      if (entry && known?.isOut && entry.at <= since)
        await store.swap(kind, entry, { ...known, isOut: false });
    }
  } catch {
    // The message was sent anyway. A batch skips its recipient until the next one.
  }
}

/** How many parts are read at the same time: a builder has few connections to its database. */
const readsAtOnce = 4;

/** Whether the recipient of some values is known to have opted out of messages from their sender. */
export type IsOptedOut = (values: Values) => boolean;

/**
 * Reads who of the recipients of some messages is known to have opted out. Costs at most 256 reads, however many there are.
 *
 * @param all the checked values of each message
 * @throws {TelephonyError} with code `unavailable` if the store can't be read
 */
export async function readOptOuts(
  connection: Connection,
  action: Action,
  all: Iterable<Values>,
): Promise<IsOptedOut> {
  const { store } = connection;
  const indexes = new Set<string>();
  await inSlices(store ? all : [], (values) => {
    const ends = endsOf(action, values);
    if (ends) indexes.add(indexOf(connection, ends.recipient));
  });
  const limit = pLimit(readsAtOnce);
  const out = new Set<string>();
  const reading = [...indexes].map((index) =>
    limit(async () => {
      const entries = (await store?.find(kind, index).catch(storeProblem)) ?? [];
      for (const { key, value } of entries) if ((value as OptOut).isOut) out.add(key);
    }),
  );
  await Promise.all(reading);
  return (values) => {
    const ends = out.size > 0 ? endsOf(action, values) : undefined;
    return (
      ends?.senders.some((sender) => out.has(keyOf(connection, sender, ends.recipient))) ?? false
    );
  };
}

/** Whether the recipient of an action's checked values is known to have opted out of messages from their sender. */
export async function hasOptedOut(
  account: object,
  action: Action,
  values: Values,
): Promise<boolean> {
  const connection = connectionOf(account);
  return !!connection && (await readOptOuts(connection, action, [values]))(values);
}

const unsubscribed = definitions.errors.find(({ recipient }) => recipient === 'opted-out');

/** Why a batch skips a recipient who opted out. */
export const optedOutReason: Said = sentences(
  unsubscribed && { text: unsubscribed.sentence },
  sentence('Nothing was sent.'),
);
