import pLimit from 'p-limit';
import type { Action } from '../../generated/definition-types.ts';
import { inSlices } from '../async/in-slices.ts';
import { sleep } from '../async/timers.ts';
import { refusesEverything } from '../limits/limit-reached.ts';
import { type IsOptedOut, readOptOuts } from '../limits/opt-outs.ts';
import type { Telephony } from '../telephony.ts';
import { TelephonyError } from '../telephony-error.ts';
import { connectionOf } from '../wire/connection.ts';
import type { RowEnd } from './row-item.ts';
import { isDoneNote, isPendingNote, type RowNote } from './row-notes.ts';
import { type RunRow, runRow, unknownEnd, unsentEnd } from './run-row.ts';

/**
 * How many rows are in progress at first, and at most how many more each second. One more may be after each that succeeded, until the
 * account's rate is what holds up the batch. Faster growth would send many that the service refuses before its first refusal arrives.
 */
const firstRows = 5;
const moreRows = 15;

/** A queue of rows. */
interface GrowingQueue {
  /** Does the work of a row when it is its turn. */
  queue<Result>(work: () => Promise<Result>): Promise<Result>;
  recordSuccess(): void;
}

/** Creates a queue of rows that starts more of them at the same time the more have succeeded. */
export function growingQueue(): GrowingQueue {
  const queue = pLimit(firstRows);
  const began = performance.now();
  return {
    queue,
    recordSuccess() {
      const more = Math.floor(((performance.now() - began) / 1_000) * moreRows);
      queue.concurrency = Math.min(queue.concurrency + 1, firstRows + more);
    },
  };
}

/** How many rows wait to be sent: if all of many did, they would end in one piece when the batch is stopped, and hold up other requests. */
const mostWaiting = 500;

/** A number of places, taken by one loop. */
class Places {
  #wake = () => {};

  constructor(private free: number) {}

  /** Takes a place. Returns a promise only if the loop has to wait for it. */
  take(): Promise<void> | undefined {
    this.free -= 1;
    if (this.free >= 0) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  giveBack(): void {
    this.free += 1;
    this.#wake();
  }
}

/** How many log checks, and how many notes that are read, are in progress in addition. */
const mostChecks = 5;

/** How often to ask whether the batch was stopped while rows wait, in milliseconds. */
const watchMs = 1_000;

/** How long an action can be in progress, in milliseconds: longer than all its attempts take. */
const defaultLongestMs = 120_000;

const isUnexpected = (error: unknown) => error !== undefined && !(error instanceof TelephonyError);

const codeOf = (error: unknown) => (error instanceof TelephonyError ? error.code : undefined);

/** Whether every further row would fail in the same way. */
const isHopeless = (error: unknown) =>
  ['settings', 'unauthorised'].includes(codeOf(error) ?? '') || refusesEverything(error);

/** After so many rows in a row that the rate limit refused for the whole retry budget, every further row would be. */
const mostRefused = 5;

export interface RowsOptions<Row> {
  /** Returns the account. */
  open(): Promise<Telephony>;
  /** Whether the batch was stopped; called right before rows are sent. Requests in progress then finish, and the rest is not run. */
  isStopped(): Promise<boolean>;
  /** Called with the outcome of each row. */
  onResult(row: Row, end: RowEnd): unknown;
  /**
   * How long an action can be in progress, in milliseconds; 120,000 if not given. The batch waits for a row that was started more
   * recently and is not in the log yet: another program may be sending it.
   */
  longestMs?: number;
  /** Whether a person has confirmed the rows in a preview, so that only limits that someone set refuse them. */
  isConfirmed?: boolean | undefined;
}

/**
 * Runs an action for rows, as many at a time as the account allows. If their notes are stored, the batch can be stopped or crash, and resumes when you run the
 * same rows again: rows that are done are skipped, and for rows that were started the account's log is checked first. The same holds
 * if several programs run the same rows at once.
 *
 * @param rows with different inputs: equal ones are sent twice
 * @throws only errors of your own functions, after the other rows have ended. Failures of the action are outcomes
 */
export async function runRows<Row extends RunRow>(
  action: Action,
  rows: Row[],
  { open, isStopped, onResult, longestMs = defaultLongestMs, isConfirmed }: RowsOptions<Row>,
): Promise<void> {
  const [reads, checks, sends] = [pLimit(mostChecks), pLimit(mostChecks), growingQueue()];
  const places = new Places(mostWaiting);
  const over = new AbortController();
  const ended = new AbortController();
  let isFailed = false;
  let refused = 0;
  /** The limit that refuses the rest of the rows. */
  let limit: unknown;
  const notRun = (): RowEnd => ({
    outcome: 'not-run',
    ...(limit !== undefined && { error: limit }),
  });
  let asked: Promise<boolean> | undefined;

  let optOuts: Promise<IsOptedOut> | undefined;
  /** Reads the opt-outs of all rows with the first one that is to be sent. */
  async function isOptedOut(telephony: Telephony, input: object): Promise<boolean> {
    const connection = connectionOf(telephony);
    if (!connection) return false;
    optOuts ??= readOptOuts(
      connection,
      action,
      rows.map(({ input }) => ({ ...input })),
    );
    // The next row asks the store again.
    const known = await optOuts.catch((error) => {
      optOuts = undefined;
      throw error;
    });
    return known({ ...input });
  }

  /** Whether the batch is over. Rows that ask at the same time share an answer. */
  async function isToEnd(): Promise<boolean> {
    if (over.signal.aborted) return true;
    asked ??= isStopped().finally(() => {
      asked = undefined;
    });
    if (await asked) over.abort();
    return over.signal.aborted;
  }

  /** Ends the waits of rows that the service refused soon after the batch was stopped. */
  async function watch() {
    while (!ended.signal.aborted && !over.signal.aborted) {
      await sleep(watchMs, ended.signal).catch(() => {});
      // If that can't be determined, the next row that is to be sent reports why.
      if (!ended.signal.aborted) await isToEnd().catch(() => {});
    }
  }

  async function runUnlessOver(row: Row, note: RowNote | undefined): Promise<RowEnd | undefined> {
    const isPending = isPendingNote(note);
    if (isFailed || (await isToEnd())) {
      if (!isPending) return isDoneNote(note) ? { outcome: 'already-done' } : notRun();
      // No limit refuses a check of the log.
      if (isFailed || limit === undefined) return unknownEnd({ text: action.ifUnknown });
    }
    const telephony = await open();
    return runRow(
      {
        ...{ action, telephony, isToEnd, over: over.signal, longest: longestMs, isConfirmed },
        isOptedOut: (input) => isOptedOut(telephony, input),
      },
      row,
      note,
    );
  }

  async function step(row: Row, note: RowNote | undefined): Promise<RowEnd | undefined> {
    const end = await runUnlessOver(row, note).catch((error) => unsentEnd(error, note));
    refused = codeOf(end?.error) === 'rate-limited' ? refused + 1 : 0;
    isFailed ||= isUnexpected(end?.error);
    if (refusesEverything(end?.error)) limit ??= end?.error;
    if (isHopeless(end?.error) || refused === mostRefused) over.abort();
    if (end?.outcome === 'done') sends.recordSuccess();
    // It waited until the batch was over.
    return end?.outcome === 'not-run' && end.error === undefined ? notRun() : end;
  }

  /** @param leave gives its place to another row, because it isn't to be sent */
  async function runToEnd(row: Row, leave: () => void): Promise<RowEnd> {
    for (;;) {
      const note = await reads(async () => row.notes?.read());
      const work = () => step(row, note);
      if (isPendingNote(note)) leave();
      const end = await (isPendingNote(note) ? checks(work) : sends.queue(work));
      if (end) return end;
    }
  }

  async function run(row: Row, leave: () => void) {
    const end = await runToEnd(row, leave).catch((error) => unsentEnd(error, undefined));
    // Rows in progress finish.
    isFailed ||= isUnexpected(end.error);
    await onResult(row, end);
    if (isUnexpected(end.error)) throw end.error;
  }

  void watch();
  const runs = new Set<Promise<void>>();
  const faults: unknown[] = [];
  function start(row: Row) {
    let hasPlace = true;
    const leave = () => {
      if (hasPlace) places.giveBack();
      hasPlace = false;
    };
    const end = run(row, leave)
      .catch((error) => void faults.push(error))
      .finally(() => {
        leave();
        runs.delete(end);
      });
    runs.add(end);
  }
  const parts = Array.from({ length: Math.ceil(rows.length / mostWaiting) }, (_, part) => part);
  await inSlices(parts, async (part) => {
    for (const row of rows.slice(part * mostWaiting, (part + 1) * mostWaiting)) {
      const place = places.take();
      if (place) await place;
      start(row);
    }
  });
  await Promise.all(runs);
  ended.abort();
  if (faults.length > 0) throw faults[0];
}
