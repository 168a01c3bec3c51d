import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { clicks } from '../click/clicks.ts';
import { expireWrites } from '../confirm/stored-writes.ts';
import { sharedAccount } from '../connect.ts';
import { isAction, isList, type Operation } from '../definition/operation.ts';
import { checkInput } from '../input/check-input.ts';
import { unreadableHint } from '../list/hints.ts';
import { pickSettings } from '../settings/stored-settings.ts';
import { storeHash } from '../store/row-store.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import type { ConnectOptions, Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { inEnglish } from '../text/sentence.ts';
import { readInput, readLimit } from './query-fields.ts';

type Row = Record<string, unknown>;

/** How often old results of actions are deleted, in milliseconds. */
const purgeMs = 60_000;

/**
 * Reads a record, or up to `limit` records of a list. These builders show nothing but records and errors: the first record says that others
 * are missing.
 *
 * @throws {TelephonyError} if no record of a list can be read
 */
async function read(
  telephony: Telephony,
  source: DataSource,
  input: object,
  limit: number,
  signal: AbortSignal,
): Promise<object[]> {
  if (!isList(source)) return [await telephony.run(source.id, input, { signal })];
  const records: object[] = [];
  let missing = 0;
  for await (const page of telephony.pages(source.id, input, { limit, signal })) {
    records.push(...page.records);
    missing = page.unreadable ?? missing;
  }
  if (missing === 0) return records;
  const hint = unreadableHint(source, missing);
  const [first, ...others] = records;
  if (!first) throw new TelephonyError('bad-answer', hint);
  return [{ ...first, hint: inEnglish(hint) }, ...others];
}

/** Runs an operation until a time. */
async function runUntil<Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>) {
  const signal = AbortSignal.timeout(ms);
  try {
    return await work(signal);
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'aborted') throw error;
    throw new TelephonyError('timeout', 'The service is slow to respond. Try again in a moment.');
  }
}

export interface QueryOptions {
  /** The builder's name: its processes share a folder. */
  builder: string;
  /** How long an action waits for a slot, in milliseconds. */
  waitMs: number;
  /** How long a query may read, in milliseconds. */
  readMs: number;
  limits?: ConnectOptions['limits'];
}

/** Runs a query: the settings and the values are what the builder stored and filled in. */
export type RunQuery = (
  settings: object | undefined,
  operation: Operation,
  query: Record<string, unknown> | undefined,
) => Promise<object[]>;

/**
 * Creates a function that runs queries, for builders that run each by itself. Records are plain JSON.
 *
 * An action runs once, even if the builder runs a query twice: for a double click, or in another process if the first one ended. Equal actions
 * within two seconds count as one. It throws `unknown-outcome` if the first process ended before it had a result.
 */
export function queryRunner({ builder, waitMs, readMs, limits }: QueryOptions): RunQuery {
  const file = join(tmpdir(), `${builder}-${definitions.manifest.id}`, 'actions.sqlite');
  const store = openSqliteStore(file);
  const shared = clicks<Row>(store);
  let purging: NodeJS.Timeout | undefined;

  /** Deletes old results, also those of a process that has ended. */
  async function purge() {
    try {
      if (!existsSync(file)) return;
      await shared.expire();
      await expireWrites(store);
    } catch {
      // The next call retries it.
    }
  }

  return async (settings, operation, query = {}) => {
    if (!purging) {
      purging = setInterval(purge, purgeMs).unref();
      void purge();
    }
    const account = pickSettings(settings);
    const telephony = sharedAccount({ ...account, ...(limits && { limits }) }, store);
    const input = readInput(operation, query);
    let rows: object[];
    if (isAction(operation)) {
      const values = checkInput(operation, input, telephony.cleanPhone);
      // A data source with other credentials gets neither the result nor the refusal of an equal action.
      const key = storeHash(JSON.stringify([telephony.account, account, operation.id, values]));
      const send = (waitSignal: AbortSignal) => telephony.run(operation.id, input, { waitSignal });
      const act = async () => ({ ...(await runUntil(waitMs, send)) });
      rows = [await shared.once(key, act, { text: operation.ifUnknown })];
    } else {
      const limit = readLimit(query);
      rows = await runUntil(readMs, (signal) => read(telephony, operation, input, limit, signal));
    }
    // The first of two equal clicks must return what the second one reads from the store.
    return JSON.parse(JSON.stringify(rows));
  };
}
