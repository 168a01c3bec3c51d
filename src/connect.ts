import { readRecord, type TelephonyRecord } from './answer/read-record.ts';
import { confirm as confirmAction } from './confirm/confirm.ts';
import { doOnce } from './confirm/do-once.ts';
import { isAction, isList, type Operation, operation } from './definition/operation.ts';
import { publicAddress } from './events/receive/public-address.ts';
import { checkOptions } from './input/check-options.ts';
import { checkValues, type Values } from './input/check-values.ts';
import { emptyHint, withCountryCodeHint } from './input/country-codes.ts';
import { hinted } from './list/hinted.ts';
import { limited } from './list/limited.ts';
import { listPages, type Page } from './list/list-pages.ts';
import { ownedPages } from './list/owned-pages.ts';
import { prefetch } from './list/prefetch.ts';
import { withPageSize } from './list/with-page-size.ts';
import { type MediaOptions, openMedia } from './media/open-media.ts';
import { type Context, perform } from './perform.ts';
import { buildRequest } from './request/build-request.ts';
import { checkSettings, type TelephonySettings } from './settings/check-settings.ts';
import { checkLimits, type Limits } from './settings/limits.ts';
import { serviceTime } from './settings/service-time.ts';
import { testConnection } from './settings/test-connection.ts';
import type {
  ActionOptions,
  ConfirmOptions,
  ConnectOptions,
  PagesOptions,
  RunOptions,
  Telephony,
} from './telephony.ts';
import { TelephonyError } from './telephony-error.ts';
import { connectionBy } from './wire/connection.ts';

function openList(context: Context, source: Operation, values: Values): AsyncGenerator<Page> {
  if (!isList(source))
    throw new TelephonyError('input', `"${source.name}" does not return a list.`);
  const rule = source.ownedBy;
  const pages =
    rule && values[rule.field] !== undefined
      ? ownedPages(context, source, rule, values)
      : listPages(context, source, values);
  return hinted(pages, emptyHint(source, values));
}

async function runOne(
  context: Context,
  one: Operation,
  values: Values,
  before: ActionOptions['before'],
): Promise<TelephonyRecord> {
  if (isAction(one)) return doOnce(context, one, values, before);
  const request = buildRequest(context.connection, one, values);
  return readRecord(one.result.of, await perform(context, one, request));
}

const runOptions = { signal: 'signal', waiting: 'signal' } as const;
const actionOptions = { ...runOptions, before: 'function' } as const;
const confirmOptions = { ...runOptions, since: 'date' } as const;
const pagesOptions = { ...runOptions, limit: 'number', prefetch: 'boolean' } as const;
const mediaOptions = { signal: 'signal', range: 'text' } as const;
const connectOptions = { reportTo: 'text' } as const;

/**
 * Checks the settings and gives an account to run operations on. Opens no connection.
 *
 * @param settings the username and password, and where needed the Account SID and the base URL
 * @param limits what the account may cost in time, memory and requests, where the defaults do not suit
 * @param options where the service reports the status of actions
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function connect(
  settings: TelephonySettings,
  limits: Partial<Limits> = {},
  options?: ConnectOptions,
): Telephony {
  const { reportTo } = checkOptions(options, connectOptions);
  if (reportTo) publicAddress(reportTo.replace(/#.*/s, ''));
  const connection = connectionBy(checkSettings(settings), checkLimits(limits ?? {}));
  const { cleanPhone } = connection;
  const valuesOf = (one: Operation, input: object) => checkValues(one, input, 'input', cleanPhone);

  async function run(id: string, input: object = {}, options?: ActionOptions) {
    const { signal, waiting, before } = checkOptions(options, actionOptions);
    const one = operation(id);
    const values = valuesOf(one, input);
    const context = { connection, signal, waiting, reportTo };
    if (!isList(one))
      return runOne(context, one, values, before).catch((error: unknown) => {
        throw withCountryCodeHint(one, values, error);
      });
    const first = await openList(context, one, values).next();
    return first.value;
  }

  async function confirm(id: string, input: object, options: ConfirmOptions) {
    const one = operation(id);
    if (!isAction(one)) throw new TelephonyError('input', `"${one.name}" is not an action.`);
    const values = valuesOf(one, input);
    const { signal, waiting, since } = checkOptions(options, confirmOptions, ['since']);
    return confirmAction({ connection, signal, waiting }, one, values, since);
  }

  async function* pages(id: string, input: object = {}, given?: PagesOptions) {
    const options = checkOptions(given, pagesOptions);
    const one = operation(id);
    const values = withPageSize(one, valuesOf(one, input), options.limit);
    const open = (signal: AbortSignal | undefined) =>
      limited(
        openList({ connection, signal, waiting: options.waiting }, one, values),
        options.limit,
      );
    yield* options.prefetch ? prefetch(open, options.signal) : open(options.signal);
  }

  async function* records(id: string, input?: object, options?: PagesOptions) {
    for await (const page of pages(id, input, options)) yield* page.records;
  }

  const now = () => serviceTime(connection);

  async function test(options?: RunOptions) {
    const { signal, waiting } = checkOptions(options, runOptions);
    return testConnection({ connection, signal, waiting });
  }

  const media = async (shape: string, record: string | object, options?: MediaOptions) =>
    openMedia(connection, shape, record, checkOptions(options, mediaOptions));

  // Which types belong to which id is generated from the definitions, as what runs here is: no type checker sees that.
  const { root: account } = connection;

  return {
    ...{ account, cleanPhone, run, confirm, now, pages, records, media, test },
  } as unknown as Telephony;
}
