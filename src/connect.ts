import { definitions } from '../generated/definitions.ts';
import type { Operations } from '../generated/operations.ts';
import { readRecord } from './answer/read-record.ts';
import { checkValues, type Values } from './input/check-values.ts';
import { listPages, type Page } from './list/list-pages.ts';
import { ownedPages } from './list/owned-pages.ts';
import { prefetch } from './list/prefetch.ts';
import { type Media, type MediaOptions, openMedia } from './media/open-media.ts';
import { type Context, perform } from './perform.ts';
import { buildRequest, type Operation } from './request/build-request.ts';
import { checkSettings, type TelephonySettings } from './settings/check-settings.ts';
import type { Limits } from './settings/limits.ts';
import { type ConnectionTest, testConnection } from './settings/test-connection.ts';
import { TelephonyError } from './telephony-error.ts';

/** The id of an operation, such as the name of its file. */
export type OperationId = keyof Operations;

/** The id of an operation that returns a list. */
export type ListId = {
  [Id in OperationId]: Operations[Id]['list'] extends true ? Id : never;
}[OperationId];

/** What an operation takes. */
export type Input<Id extends OperationId> = Operations[Id]['input'];

/** What an operation returns: a record, or a page of records. */
export type Output<Id extends OperationId> = Id extends ListId
  ? Page<Operations[Id]['record']>
  : Operations[Id]['record'];

export interface RunOptions {
  /** Stops the operation, at any moment. */
  signal?: AbortSignal | undefined;
}

export interface PagesOptions extends RunOptions {
  /** The most records to read in all; 100,000 if not given. When there are more, the last page says so. */
  limit?: number | undefined;
  /** Requests the next page while the current one is being used: two in memory at a time instead of one. */
  prefetch?: boolean | undefined;
}

/** An account, ready to run operations on. */
export interface Telephony {
  /**
   * Runs an operation: one request, for a list one page.
   *
   * @param id the operation
   * @param input its values by key; empty ones are not sent
   * @throws {TelephonyError} the one error, with a stable `code`
   */
  run<Id extends OperationId>(id: Id, input: Input<Id>, options?: RunOptions): Promise<Output<Id>>;

  /**
   * Reads a list page by page, one in memory at a time. A page is requested when it is asked for, or
   * with `prefetch` as soon as the one before it was given out.
   *
   * @param id an operation that returns a list
   * @param input its values by key; empty ones are not sent
   * @throws {TelephonyError} while iterating; pages yielded before stay valid
   */
  pages<Id extends ListId>(
    id: Id,
    input: Input<Id>,
    options?: PagesOptions,
  ): AsyncGenerator<Page<Operations[Id]['record']>, void, void>;

  /**
   * Opens the sound of a record, to be passed on while it arrives.
   *
   * @param shape the id of the record's shape, such as `recording`
   * @param sid the sid of the record
   * @throws {TelephonyError} when there is none
   */
  media(shape: string, sid: string, options?: MediaOptions): Promise<Media>;

  /** Tries the settings with one cheap read. What is wrong with them is in the answer, not thrown. */
  test(options?: RunOptions): Promise<ConnectionTest>;
}

const defaultLimit = 100_000;

const operations = new Map<string, Operation>(
  [...definitions.dataSources, ...definitions.actions].map((operation) => [
    operation.id,
    operation,
  ]),
);

function findOperation(id: string): Operation {
  const operation = operations.get(id);
  if (operation) return operation;
  const ids = [...operations.keys()].join(', ');
  throw new TelephonyError('input', `There is no operation "${id}". There are: ${ids}.`);
}

function openList(context: Context, operation: Operation, values: Values): AsyncGenerator<Page> {
  const isList = 'list' in operation.result && operation.request.method === 'GET';
  if (!isList) throw new TelephonyError('input', `"${operation.name}" does not return a list.`);
  const source = operation as Extract<Operation, { request: { method: 'GET' } }>;
  const rule = source.ownedBy;
  return rule && values[rule.field] !== undefined
    ? ownedPages(context, source, rule, values)
    : listPages(context, source, values);
}

function checkLimit(limit: number): number {
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new TelephonyError('input', 'The most records to read must be a whole number above 0.');
}

async function* limited(pages: AsyncGenerator<Page>, limit: number): AsyncGenerator<Page> {
  let left = limit;
  for await (const { records, more } of pages) {
    const full = records.length >= left;
    yield { records: records.slice(0, left), more: more || records.length > left };
    left -= records.length;
    if (full) return;
  }
}

async function runOne(context: Context, operation: Operation, values: Values) {
  const request = buildRequest(context.account, operation, values);
  return readRecord(operation.result.of, await perform(context, operation, request));
}

/**
 * Checks the settings and gives an account to run operations on. Opens no connection.
 *
 * @param settings the username and password, and where needed the Account SID and the base URL
 * @param limits what the account may cost in time, memory and requests, where the defaults do not suit
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function connect(settings: TelephonySettings, limits?: Partial<Limits>): Telephony {
  const account = checkSettings(settings, limits);

  async function run(id: string, input: object, { signal }: RunOptions = {}) {
    const operation = findOperation(id);
    const values = checkValues(operation, input, 'input');
    const context = { account, signal };
    if (!('list' in operation.result)) return runOne(context, operation, values);
    const first = await openList(context, operation, values).next();
    return first.value;
  }

  async function* pages(id: string, input: object, options: PagesOptions = {}) {
    const operation = findOperation(id);
    const values = checkValues(operation, input, 'input');
    const limit = checkLimit(options.limit ?? defaultLimit);
    const open = (signal: AbortSignal | undefined) =>
      limited(openList({ account, signal }, operation, values), limit);
    yield* options.prefetch ? prefetch(open, options.signal) : open(options.signal);
  }

  const test = (options?: RunOptions) =>
    testConnection((id, input) => run(id, input, options) as never);

  const media = (shape: string, sid: string, options: MediaOptions = {}) =>
    openMedia(account, shape, sid, options);

  return { run, pages, media, test } as unknown as Telephony;
}
