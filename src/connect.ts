import { definitions } from '../generated/definitions.ts';
import { recipientIn } from './batch/row-item.ts';
import { runBatch } from './batch/run-batch.ts';
import { confirm as confirmAction } from './confirm/confirm.ts';
import { runAction } from './confirm/run-action.ts';
import { serviceTime, testConnection } from './connection-test/test-connection.ts';
import {
  actionOf,
  type Fields,
  isAction,
  isList,
  type ListSource,
  type Operation,
  operation,
  recordShape,
  sidOf,
} from './definition/operation.ts';
import { publicAddress } from './events/receive/public-address.ts';
import { checkValues, type Values } from './input/check-values.ts';
import { alternatives, emptyFilters, emptyHint, reversedPeriods } from './input/filters.ts';
import { usageOf } from './limits/usage.ts';
import { withHint } from './list/hints.ts';
import { withLimit, withPageSize } from './list/limit.ts';
import { listPages, type Page } from './list/list-pages.ts';
import { mergedPages } from './list/merged-pages.ts';
import { ownedPages } from './list/owned-pages.ts';
import { prefetch } from './list/prefetch.ts';
import { type MediaOptions, openMedia } from './media/open-media.ts';
import { buildRequest } from './request/build-request.ts';
import { readRecord, type TelephonyRecord } from './response/read-record.ts';
import { type Context, perform } from './send/perform.ts';
import { assertKnown, checkOptions, runOptions } from './settings/check-options.ts';
import { checkSettings, type TelephonySettings } from './settings/check-settings.ts';
import { checkLimits } from './settings/limits.ts';
import { checkSpending, withoutDefaults } from './settings/spending.ts';
import { defaultWaitMs, waitForFinalStatus } from './status/wait-for-final-status.ts';
import type { Store } from './store/store.ts';
import type {
  ActionOptions,
  ConfirmOptions,
  ConnectOptions,
  PagesOptions,
  RunOptions,
  Telephony,
  WaitOptions,
} from './telephony.ts';
import { TelephonyError } from './telephony-error.ts';
import { isObject } from './text/json.ts';
import { createConnection, setConnection } from './wire/connection.ts';

function openList(context: Context, source: ListSource, values: Values): AsyncGenerator<Page> {
  const rule = source.ownedBy;
  return rule && values[rule.field] !== undefined
    ? ownedPages(context, source, rule, values)
    : listPages(context, source, values);
}

/** Opens a list that has the records of one input or several. */
function openLists(context: Context, source: Operation, inputs: Values[]): AsyncGenerator<Page> {
  if (!isList(source))
    throw new TelephonyError('input', `"${source.name}" does not return a list.`);
  const unreadable = { count: 0 };
  const lists = inputs.map((values) => openList({ ...context, unreadable }, source, values));
  const pages = mergedPages(lists, recordShape(source.result.of));
  const [values = {}] = inputs;
  const empty = emptyHint(source, values, context.connection.hasDefaultCountry);
  return withHint(pages, source, { empty, unreadable });
}

async function firstPage(pages: AsyncGenerator<Page>): Promise<Page> {
  for await (const page of pages) return page;
  return { records: [], more: false };
}

async function runOne(
  context: Context,
  one: Operation,
  values: Values,
  beforeSend: ActionOptions['beforeSend'],
): Promise<TelephonyRecord> {
  if (isAction(one)) return runAction(context, one, values, beforeSend);
  const request = buildRequest(context.connection, one, values);
  const body = await perform(context, one, () => request);
  return readRecord(one.result.of, body, context.connection);
}

/** The options that aren't settings. */
type OtherOptions = Pick<
  ConnectOptions,
  | 'limits'
  | 'spending'
  | 'caller'
  | 'onLimitReached'
  | 'statusCallback'
  | 'http'
  | 'onRequest'
  | 'raw'
  | 'store'
>;

const actionOptions = {
  ...runOptions,
  beforeSend: 'function',
  lane: 'text',
  isConfirmed: 'boolean',
} as const;
const confirmOptions = { ...runOptions, since: 'date' } as const;
const pagesOptions = { ...runOptions, limit: 'count', prefetch: 'boolean' } as const;
const mediaOptions = { signal: 'signal', range: 'text' } as const;
const waitOptions = { signal: 'signal', timeoutMs: 'milliseconds' } as const;
const otherOptions = {
  limits: 'object',
  spending: 'object',
  caller: 'object',
  onLimitReached: 'function',
  statusCallback: 'pasted',
  http: 'function',
  onRequest: 'function',
  raw: 'boolean',
  store: ['get', 'insert', 'swap', 'find', 'expire'],
} as const;

const settingKeys = definitions.settings.fields.map(({ key }) => key);

/** Returns the settings and the other options. */
function splitOptions(options: ConnectOptions): [TelephonySettings, OtherOptions] {
  if (!isObject(options)) return [options, {}];
  const otherKeys = Object.keys(otherOptions);
  assertKnown(options, [...settingKeys, ...otherKeys]);
  const settings = settingKeys.map((key) => [key, Reflect.get(options, key)]);
  const others = otherKeys.map((key) => [key, Reflect.get(options, key)]);
  return [Object.fromEntries(settings), Object.fromEntries(others)];
}

/**
 * Checks the settings and returns an account to run operations on. Opens no connection.
 *
 * @param options the username and password; where needed the Account SID, the base URL, limits and a webhook URL for statuses
 * @throws {TelephonyError} with code `settings` and the `field` to change, or `input` for a wrong option
 */
export function connect(options: Fields<ConnectOptions>): Telephony {
  const [settings, others] = splitOptions(options);
  const checked = checkSettings(settings);
  const { limits, spending, caller, onLimitReached, statusCallback, http, onRequest, raw, store } =
    checkOptions(others, otherOptions);
  if (statusCallback) publicAddress(statusCallback.replace(/#.*/s, ''), 'statusCallback');
  const chosen = checkLimits(limits ?? {});
  const connection = createConnection(checked, chosen, {
    http: http ?? undefined,
    onRequest: onRequest ?? undefined,
    keepsRaw: raw ?? false,
    store: store ?? undefined,
    spending: spending ? checkSpending(spending) : undefined,
    caller: caller
      ? { id: caller.id, spending: withoutDefaults(checkSpending(caller.limits)) }
      : undefined,
    onLimitReached: onLimitReached ?? undefined,
  });
  const { cleanPhone } = connection;
  const valuesOf = (one: Operation, input: object) =>
    checkValues(one, input, 'input', cleanPhone, (values, blank) => [
      ...emptyFilters(one, blank),
      ...reversedPeriods(one, values),
    ]);
  const inputsOf = (one: Operation, input: object) =>
    alternatives(one, input).map((each) => valuesOf(one, each));

  async function run(id: string, input: object = {}, options?: ActionOptions) {
    const { signal, waitSignal, beforeSend, lane, isConfirmed } = checkOptions(
      options,
      actionOptions,
    );
    const one = operation(id);
    const context: Context = { connection, signal, waitSignal, statusCallback, lane, isConfirmed };
    if (isList(one)) return firstPage(openLists(context, one, inputsOf(one, input)));
    const values = valuesOf(one, input);
    if (isAction(one)) context.recipient = recipientIn(one, values);
    return runOne(context, one, values, beforeSend);
  }

  async function confirm(id: string, input: object, options: ConfirmOptions) {
    const one = actionOf(id);
    const values = valuesOf(one, input);
    const { signal, waitSignal, since } = checkOptions(options, confirmOptions, ['since']);
    return confirmAction({ connection, signal, waitSignal }, one, values, since);
  }

  async function* pages(id: string, input: object = {}, given?: PagesOptions) {
    const options = checkOptions(given, pagesOptions);
    const one = operation(id);
    const inputs = inputsOf(one, input).map((values) => withPageSize(one, values, options.limit));
    const open = (signal: AbortSignal | undefined) =>
      withLimit(
        openLists({ connection, signal, waitSignal: options.waitSignal }, one, inputs),
        options.limit,
      );
    yield* options.prefetch ? prefetch(open, options.signal) : open(options.signal);
  }

  async function* records(id: string, input?: object, options?: PagesOptions) {
    for await (const page of pages(id, input, options)) yield* page.records;
  }

  const now = () => serviceTime(connection);

  async function test(options?: RunOptions) {
    const { signal, waitSignal } = checkOptions(options, runOptions);
    return testConnection({ connection, signal, waitSignal });
  }

  const media = async (shape: string, record: string | object, options?: MediaOptions) =>
    openMedia(connection, shape, record, checkOptions(options, mediaOptions));

  async function waitForFinal(shape: string, record: string | object, given?: WaitOptions) {
    const { signal, timeoutMs = defaultWaitMs } = checkOptions(given, waitOptions);
    const context = { connection, signal, waitSignal: undefined };
    return waitForFinalStatus(context, shape, sidOf(shape, record), timeoutMs);
  }

  function cleanText(text: string) {
    if (typeof text !== 'string') throw new TelephonyError('input', 'A phone number must be text.');
    return cleanPhone(text);
  }

  // The types per id are generated from the definitions that this code reads. No type checker can see that they agree.
  const { root: account } = connection;

  const telephony = {
    ...{ account, cleanPhone: cleanText, run, confirm, now, pages, records, media, test },
    runBatch: (...args: Parameters<Telephony['runBatch']>) => runBatch(telephony, ...args),
    usage: () => usageOf(connection).read(connection.spending?.most ?? {}),
    waitForFinalStatus: waitForFinal,
  } as unknown as Telephony;
  setConnection(telephony, connection);
  return telephony;
}

/** The accounts by their options as JSON, the least recently used first. */
const accounts = new Map<string, Telephony>();
const maxAccounts = 100;

/**
 * Connects to an account, or returns the one that was connected with the same options, for builders that pass the settings with each run:
 * an account's queue and rate limit must outlive a run.
 *
 * @param options plain data: no functions
 * @param store the same one for all accounts
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function sharedAccount(options: ConnectOptions, store: Store): Telephony {
  const key = JSON.stringify(options);
  const telephony = accounts.get(key) ?? connect({ ...options, store });
  accounts.delete(key);
  accounts.set(key, telephony);
  const [unused] = accounts.keys();
  if (accounts.size > maxAccounts && unused !== undefined) accounts.delete(unused);
  return telephony;
}
