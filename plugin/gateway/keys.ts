import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  changeEntry,
  definitions,
  isAction,
  type LogStore,
  operations,
  type SpendingLimits,
  TelephonyError,
} from '../../src/builder.ts';

/** Everything of its kind, which always has to be written out: nothing never means all. */
export const all = 'all';

/** Some ids or numbers, or all of them. */
export type Some = typeof all | readonly string[];

/** What the holder of a key may do. */
export interface Rights {
  /** The data sources that it reads. */
  read: Some;
  /** The actions that it runs. */
  act: Some;
  /** The senders of its actions: numbers, names and messaging services. */
  senders: Some;
  /** The events that it reads. */
  events: Some;
  /** The events that it replies to. */
  reply?: Some;
  /** Whether it may have events sent to URLs. */
  subscribe?: boolean;
  /** Whether its actions may name instructions elsewhere, which can call and message anyone, beyond its senders and limits. */
  instructions?: boolean;
  /** Further limits on what it sends. */
  limits: SpendingLimits;
}

/** A key as the store has it: without its secret. */
export interface ApiKey {
  id: string;
  name: string;
  hash: string;
  rights: Rights;
  createdAt: string;
  revokedAt?: string;
}

const kind = 'api keys';
const index = 'all';
const prefix = 'tgw';

// A secret of 256 random bits needs no slow hash: no one can try them all.
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

const isSame = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

/** Whether something is among some. */
export const isIn = (some: Some, one: string): boolean => some === all || some.includes(one);

const known: Record<'read' | 'act' | 'events' | 'reply', readonly string[]> = {
  read: operations.filter((one) => !isAction(one)).map(({ id }) => id),
  act: operations.filter(isAction).map(({ id }) => id),
  events: definitions.events.map(({ id }) => id),
  reply: definitions.events.filter(({ replies }) => replies).map(({ id }) => id),
};

/**
 * Checks ids that someone names.
 *
 * @throws {TelephonyError} with code `input` if one doesn't exist
 */
export function assertKnown(right: keyof typeof known, some: Some): void {
  const unknown = some === all ? undefined : some.find((id) => !known[right].includes(id));
  if (unknown === undefined) return;
  throw new TelephonyError(
    'input',
    `There is no "${unknown}" for ${right}. Choose from: ${known[right].join(', ')}.`,
    { field: right },
  );
}

/**
 * Creates a key.
 *
 * @returns the text that its holder sends, which is shown only once
 * @throws {TelephonyError} with code `input` if its rights name something that doesn't exist
 */
export async function addKey(
  store: LogStore,
  name: string,
  rights: Rights,
): Promise<{ key: ApiKey; text: string }> {
  for (const right of ['read', 'act', 'events', 'reply'] as const)
    assertKnown(right, rights[right] ?? []);
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const createdAt = new Date().toISOString();
  const key = { id, name, hash: hashOf(secret), rights, createdAt };
  await store.insert(kind, { key: id, index, value: key });
  return { key, text: [prefix, id, secret].join('_') };
}

/** Returns all keys, the oldest first. */
export async function listKeys(store: LogStore): Promise<ApiKey[]> {
  const entries = await store.find(kind, index);
  const keys = entries.map(({ value }) => value as ApiKey);
  return keys.sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

/**
 * Revokes a key: from then on, requests with it are refused.
 *
 * @throws {TelephonyError} with code `not-found` if there is none
 */
export async function revokeKey(store: LogStore, id: string): Promise<void> {
  await changeEntry(store, kind, id, (value) => {
    if (!value)
      throw new TelephonyError('not-found', `There is no key ${id}. List them: keys list.`);
    const key = value as ApiKey;
    return key.revokedAt ? undefined : { ...key, revokedAt: new Date().toISOString() };
  });
}

/** Whether a key exists and isn't revoked. */
export async function isKept(store: LogStore, id: string): Promise<boolean> {
  const key = (await store.get(kind, id))?.value as ApiKey | undefined;
  return key !== undefined && !key.revokedAt;
}

/** Returns the key of a text that someone sent; undefined if there is none, its secret is wrong, or it was revoked. */
export async function findKey(store: LogStore, text: string): Promise<ApiKey | undefined> {
  const [start, id = '', ...rest] = text.split('_');
  if (start !== prefix || rest.length === 0) return undefined;
  const entry = await store.get(kind, id);
  const key = entry?.value as ApiKey | undefined;
  const isRight = key && isSame(hashOf(rest.join('_')), key.hash);
  return isRight && !key.revokedAt ? key : undefined;
}
