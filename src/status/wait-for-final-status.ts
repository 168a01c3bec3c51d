import { follow } from '../async/follow.ts';
import { startTimer } from '../async/timers.ts';
import { operation, recordShape } from '../definition/operation.ts';
import { checkValues } from '../input/check-values.ts';
import { buildRequest } from '../request/build-request.ts';
import { readRecord, type TelephonyRecord } from '../response/read-record.ts';
import { type Context, perform } from '../send/perform.ts';
import { abortedError, TelephonyError } from '../telephony-error.ts';
import { pause } from '../wire/retry.ts';
import { finalStatusOf, onStatusEvent } from './statuses.ts';

/** The first wait between two reads, in milliseconds. It doubles from read to read. */
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/** How long to wait for a final status by default, in milliseconds. */
export const defaultWaitMs = 60_000;

/** Waits between two reads, or until an event reports the record. An event during a read ends the next wait at once. */
class Waiter {
  #event = new AbortController();
  readonly #unsubscribe: () => void;

  constructor(sid: string) {
    this.#unsubscribe = onStatusEvent(sid, () => this.#event.abort());
  }

  async wait(waitMs: number, signal: AbortSignal) {
    const running = follow(signal, this.#event.signal);
    await pause(waitMs, running.signal).catch(() => {});
    running.release();
    this.#event = new AbortController();
  }

  end() {
    this.#unsubscribe();
  }
}

/**
 * Reads a record until it has a final status: at once if this process receives an event of it, otherwise after 1, 2, 4, 8 and then every
 * 15 seconds.
 *
 * @param shapeId the id of the record's shape
 * @param sid the record's SID
 * @throws {TelephonyError} with code `timeout` if it has none in time, `aborted` if the signal aborts, or the error of a read
 */
export async function waitForFinalStatus(
  context: Context,
  shapeId: string,
  sid: string,
  timeoutMs: number,
): Promise<TelephonyRecord> {
  const { connection } = context;
  const { field, values, source } = finalStatusOf(shapeId);
  const shape = recordShape(shapeId);
  const reader = operation(source);
  const input = { [reader.fields[0]?.key ?? '']: sid };
  const checked = checkValues(reader, input, 'input', connection.cleanPhone);
  const request = buildRequest(connection, reader, checked);
  const timeout = new AbortController();
  const stopTimer = startTimer(timeoutMs, () => timeout.abort());
  const running = follow(context.signal, timeout.signal);
  const signal = running.signal ?? timeout.signal;
  const waiter = new Waiter(sid);
  let status: unknown;
  try {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const json = await perform({ ...context, signal }, reader, () => request);
      const record = readRecord(shapeId, json, connection);
      status = record[field];
      if (values.includes(String(status))) return record;
      await waiter.wait(waitMs, signal);
      if (signal.aborted) throw abortedError();
    }
  } catch (error) {
    if (!timeout.signal.aborted || context.signal?.aborted) throw error;
    const last = status ? ` Its last status was “${status}”.` : '';
    throw new TelephonyError(
      'timeout',
      `The ${shape.name.toLowerCase()} had no final status after ${timeoutMs / 1_000} seconds.${last} Check it again later.`,
      { request: `GET ${reader.request.path}` },
    );
  } finally {
    stopTimer();
    running.release();
    waiter.end();
  }
}
