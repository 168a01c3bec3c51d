import type { FinalRecords, MediaRecords, Operations } from '../generated/operations.ts';
import type { BatchOptions, BatchRow } from './batch/batch-options.ts';
import type { Confirmation } from './confirm/confirm.ts';
import type { ConnectionTest } from './connection-test/test-connection.ts';
import type { Fields, IdOf, KeysOf } from './definition/operation.ts';
import type { Usage } from './limits/usage.ts';
import type { Page } from './list/list-pages.ts';
import type { Media, MediaOptions } from './media/open-media.ts';
import type { TelephonyRecord } from './response/read-record.ts';
import type { TelephonySettings } from './settings/check-settings.ts';
import type { Limits } from './settings/limits.ts';
import type { LimitReached, SpendingLimits } from './settings/spending.ts';
import type { Store } from './store/store.ts';
import type { RequestReport } from './wire/connection.ts';
import type { Http } from './wire/http.ts';

/** The id of an operation, such as the name of its file. */
export type OperationId = KeysOf<Operations>;

/** The id of an operation that returns a list. */
export type ListId = KeysOf<{
  [Id in OperationId as Operations[Id]['list'] extends true ? Id : never]: Id;
}>;

/** The id of an action. */
export type ActionId = KeysOf<{
  [Id in OperationId as Operations[Id]['action'] extends true ? Id : never]: Id;
}>;

type MediaShape = KeysOf<MediaRecords>;
type FinalShape = KeysOf<FinalRecords>;

/** The input of an operation. */
export type Input<Id extends OperationId> = InputOf<Id>;

/** What an operation returns: a record, or a page of records. */
export type Output<Id extends OperationId> = OutputOf<Id>;

/** The input and options of an operation: the input is optional if no field is required. */
type Args<Id extends string, Options> =
  Record<string, never> extends InputOf<Id>
    ? [input?: InputOf<Id>, options?: Options | undefined]
    : [input: InputOf<Id>, options?: Options | undefined];

type InputOf<Id extends string> = Id extends OperationId ? Fields<Operations[Id]['input']> : object;
type OutputOf<Id extends string> = Id extends ListId
  ? Page<RecordOf<Id>>
  : Id extends OperationId
    ? RecordOf<Id>
    : TelephonyRecord | Page;
type RecordOf<Id extends string> = Id extends OperationId
  ? Operations[Id]['record']
  : TelephonyRecord;

/** The settings of an account, and options. */
export interface ConnectOptions extends TelephonySettings {
  /** Limits of time, memory and requests that differ from the defaults. */
  limits?: Partial<Limits> | null | undefined;
  /**
   * Limits on what the account sends: messages and calls per hour, per day and per recipient, countries, quiet hours. With `{}`, the
   * defaults apply; without it, nothing is limited.
   */
  spending?: SpendingLimits | null | undefined;
  /**
   * Further limits on what is sent with this connection, which are counted by themselves, such as those of an API key. Only those that are
   * given apply.
   */
  caller?: { id: string; limits: SpendingLimits } | null | undefined;
  /**
   * Called when a limit on how much is sent refuses something, at most once in its window: an hour, or a day. The refusal doesn't wait for
   * it, and what it throws is ignored. Of the processes that share a store, one calls it.
   */
  onLimitReached?: ((reached: LimitReached) => void) | null | undefined;
  /**
   * The webhook URL to which the service reports the status of actions, as the events that their definitions name. Without it, the
   * service reports no status.
   */
  statusCallback?: string | null | undefined;
  /** Sends the requests instead of axios, for places without `node:http`. */
  http?: Http | null | undefined;
  /** Called after each attempt, for logs and metrics. It gets no secret and no value of an input. What it throws is ignored. */
  onRequest?: ((report: RequestReport) => void) | null | undefined;
  /**
   * Whether each record also has, as `raw`, what the service sent, with fields that its shape doesn't have. A list that you hold takes
   * two to three times the memory.
   */
  raw?: boolean | null | undefined;
  /**
   * Stores a hash of each action before it is sent, for a day, so that processes that share the store don't confirm each other's equal
   * actions. It also counts what `spending` limits. Without it, the plugin knows only the actions of this process.
   */
  store?: Store | null | undefined;
}

export interface RunOptions {
  /** Aborts the operation at any time. */
  signal?: AbortSignal | undefined;
  /** Aborts the operation only while it waits for a slot or a retry. A request in progress finishes. */
  waitSignal?: AbortSignal | undefined;
}

export interface ActionOptions extends RunOptions {
  /** Awaited once, right before the action is sent. If it fails, nothing is sent. */
  beforeSend?: (() => Promise<void>) | undefined;
  /**
   * The name of a lane, such as that of the caller. Lanes take turns, so that many actions of one don't hold up those of another. If not
   * given, all such actions share one; batches have their own. Actions to one recipient are sent in the order of their calls, in any lane.
   */
  lane?: string | undefined;
  /** Whether a person has confirmed the action, such as in a preview. Then only limits that someone set refuse it, not the defaults. */
  isConfirmed?: boolean | undefined;
}

export interface ConfirmOptions extends RunOptions {
  /** When the action started, by the service's clock: the result of `now()` before it. */
  since: Date;
}

export interface PagesOptions extends RunOptions {
  /**
   * How many records to read at most; 100,000 if not given. Unless the input has a page size, the pages are only as large as needed.
   * If there are more records, the last page says so.
   */
  limit?: number | undefined;
  /** Requests the next page while you use the current one. Keeps two pages in memory instead of one. */
  prefetch?: boolean | undefined;
}

export interface WaitOptions {
  /** Aborts the wait at any time. */
  signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds; 60,000 if not given. */
  timeoutMs?: number | undefined;
}

/** An account, ready to run operations on. */
export interface Telephony {
  /** The account's URL at the service, without the password. It differs from account to account. */
  readonly account: string;

  /**
   * Returns a phone number as this account sends and compares it: without spaces and brackets, and with the default country's
   * code if it has none. Short codes and names stay as they are.
   *
   * @param text the number, as entered
   * @throws {TelephonyError} with code `input` if it is no text
   */
  cleanPhone(text: string): string;

  /**
   * Runs an operation. Costs one request; a list returns its first page.
   *
   * @param id the operation
   * @param input its values by key. Empty ones are not sent; an empty filter is an error
   * @throws {TelephonyError} with a stable `code`; `unknown-outcome` means that an action may or may not have succeeded
   */
  run<Id extends string>(
    id: IdOf<OperationId, Id>,
    ...args: Args<Id, ActionOptions>
  ): Promise<OutputOf<Id>>;

  /**
   * Checks the service's log for an action that was started before, for example by a program that crashed. Sends nothing. Costs up
   * to five reads of the log within ten seconds.
   *
   * @param id the action
   * @param input its values by key
   * @throws {TelephonyError} with code `input` if there is no such action, or its values are invalid
   */
  confirm<Id extends string>(
    id: IdOf<ActionId, Id>,
    input: InputOf<Id>,
    options: ConfirmOptions,
  ): Promise<Confirmation<RecordOf<Id>>>;

  /**
   * Runs an action for rows, as many at a time as the account allows. If their notes are stored, the batch can be stopped or crash, and resumes when you run
   * the same rows again: rows that are done are skipped, and for rows that were started the account's log is checked first. The same
   * holds if several programs run the same rows at once. Costs one request per row.
   *
   * @param id the action
   * @param rows with their inputs. Of rows that would send the same, one runs
   * @throws {TelephonyError} with code `input` for wrong arguments, before anything is sent; otherwise only errors of your own
   *   functions, after the other rows have ended. Failures of rows are results
   */
  runBatch<Id extends string, Row extends BatchRow<InputOf<Id>>>(
    id: IdOf<ActionId, Id>,
    rows: readonly Row[],
    options?: BatchOptions<Row, RecordOf<Id>>,
  ): Promise<void>;

  /**
   * Returns the service's time, or a little earlier. Costs one request if no response has contained it yet. If
   * the service doesn't return its time, it is this machine's. Never rejects.
   */
  now(): Promise<Date>;

  /**
   * Reads a list page by page, with one page in memory at a time. Costs one request per page. Requests a page when the caller
   * asks for it, or with `prefetch` as soon as it has yielded the one before.
   *
   * @param id an operation that returns a list
   * @param input its values by key, as for `records`
   * @throws {TelephonyError} while iterating; pages yielded before stay valid
   */
  pages<Id extends string>(
    id: IdOf<ListId, Id>,
    ...args: Args<Id, PagesOptions>
  ): AsyncGenerator<Page<RecordOf<Id>>, void, void>;

  /**
   * Reads the records of a list one by one, with one page in memory at a time. Costs one request per page. Use `pages` to learn
   * whether a `limit` left out records, and how many the service sent without their SID.
   *
   * @param id an operation that returns a list
   * @param input its values by key; an empty filter is an error. A list of choices matches any of them: each is a list of its own, and
   *   they are merged, newest first
   * @throws {TelephonyError} while iterating; records yielded before stay valid
   */
  records<Id extends string>(
    id: IdOf<ListId, Id>,
    ...args: Args<Id, PagesOptions>
  ): AsyncGenerator<RecordOf<Id>, void, void>;

  /**
   * Opens the audio of a record as a stream. Costs one request, or two if the service redirects to a storage.
   *
   * @param shape the id of the record's shape, such as `recording`
   * @param record the record, or its SID. A record that can't be played is an error without a request
   * @throws {TelephonyError} with code `not-found` if it has no audio (yet)
   */
  media<Shape extends string>(
    shape: IdOf<MediaShape, Shape>,
    record:
      | string
      | (Shape extends MediaShape
          ? Pick<MediaRecords[Shape], 'sid'> & Partial<MediaRecords[Shape]>
          : object),
    options?: MediaOptions,
  ): Promise<Media>;

  /**
   * Waits until a record has a final status, such as `delivered`, and returns it. Costs one request at once, after 1, 2, 4, 8 and then
   * every 15 seconds (7 in the first minute), and when this process receives an event of it.
   *
   * @param shape the id of the record's shape: `message` or `call`
   * @param record the record, or its SID
   * @throws {TelephonyError} with code `timeout` if it has none in time, `aborted` if stopped, or the error of a read
   */
  waitForFinalStatus<Shape extends string>(
    shape: IdOf<FinalShape, Shape>,
    record: string | (Shape extends FinalShape ? Pick<FinalRecords[Shape], 'sid'> : object),
    options?: WaitOptions,
  ): Promise<Shape extends FinalShape ? FinalRecords[Shape] : TelephonyRecord>;

  /**
   * Tests the settings, and returns a problem instead of throwing it. Costs one or two requests.
   *
   * @throws {TelephonyError} with code `aborted` if stopped
   */
  test(options?: RunOptions): Promise<ConnectionTest>;

  /** Returns how much the account has sent, as far as `spending` counts it. Without `spending`, nothing is counted. Makes no request. */
  usage(): Promise<Usage>;
}
