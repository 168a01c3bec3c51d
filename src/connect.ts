import { readRecord, type TelephonyRecord } from './answer/read-record.ts';
import { confirm as confirmAction } from './confirm/confirm.ts';
import { doOnce } from './confirm/do-once.ts';
import { isAction, isList, type Operation, operation } from './definition/operation.ts';
import { publicAddress } from './events/public-address.ts';
import { checkValues, type Values } from './input/check-values.ts';
import { limited } from './list/limited.ts';
import { listPages, type Page } from './list/list-pages.ts';
import { ownedPages } from './list/owned-pages.ts';
import { prefetch } from './list/prefetch.ts';
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
  return rule && values[rule.field] !== undefined
    ? ownedPages(context, source, rule, values)
    : listPages(context, source, values);
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

/**
 * Checks the settings and gives an account to run operations on. Opens no connection.
 *
 * @param settings the username and password, and where needed the Account SID and the base URL
 * @param limits what the account may cost in time, memory and requests, where the defaults do not suit
 * @param options where the service is to report what becomes of actions
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function connect(
  settings: TelephonySettings,
  limits: Partial<Limits> = {},
  { reportTo }: ConnectOptions = {},
): Telephony {
  if (reportTo) publicAddress(reportTo.replace(/#.*/s, ''));
  const connection = connectionBy(checkSettings(settings), checkLimits(limits));

  async function run(id: string, input: object, { signal, waiting, before }: ActionOptions = {}) {
    const one = operation(id);
    const values = checkValues(one, input, 'input');
    const context = { connection, signal, waiting, reportTo };
    if (!isList(one)) return runOne(context, one, values, before);
    const first = await openList(context, one, values).next();
    return first.value;
  }

  async function confirm(id: string, input: object, options: ConfirmOptions) {
    const one = operation(id);
    if (!isAction(one)) throw new TelephonyError('input', `"${one.name}" is not an action.`);
    const values = checkValues(one, input, 'input');
    const { signal, waiting, since } = options;
    return confirmAction({ connection, signal, waiting }, one, values, since);
  }

  async function* pages(id: string, input: object, options: PagesOptions = {}) {
    const one = operation(id);
    const values = checkValues(one, input, 'input');
    const open = (signal: AbortSignal | undefined) =>
      limited(
        openList({ connection, signal, waiting: options.waiting }, one, values),
        options.limit,
      );
    yield* options.prefetch ? prefetch(open, options.signal) : open(options.signal);
  }

  const now = () => serviceTime(connection);

  const test = (options: RunOptions = {}) =>
    testConnection({ connection, signal: options.signal, waiting: options.waiting });

  const media = (shape: string, record: string | object, options: MediaOptions = {}) =>
    openMedia(connection, shape, record, options);

  // Which types belong to which id is generated from the definitions, as what runs here is: no type checker sees that.
  const { root: account } = connection;

  return { account, run, confirm, now, pages, media, test } as unknown as Telephony;
}
