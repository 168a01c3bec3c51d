import { createHash } from 'node:crypto';
import {
  actionOf,
  type Batches,
  batchLimits,
  batchPage,
  batchView,
  type SkipChoice,
  sendBatchCsv,
  sentence,
  TelephonyError,
} from '../../../../src/builder.ts';
import { maxRowsOf } from '../../max-rows.ts';
import type { RowsRequest } from '../../run-view.ts';
import type { Accounts } from '../account/account.ts';
import { accountOf, assertShows, buttonInput, buttonSetup } from '../action/button-input.ts';
import { assertPageShown } from '../action/button-page.ts';
import { ButtonRows } from '../action/button-rows.ts';
import { Forbidden, rightTo } from '../action/rights.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { responding } from '../responding.ts';
import { sayFor } from '../say-for.ts';
import { textOf } from '../text-of.ts';
import { timeReader } from '../time-reader.ts';
import type { BatchContext, NocobaseBatch } from './batch-context.ts';
import { plan } from './plan.ts';
import { selectedRows } from './selected-rows.ts';

const ownerOf = ({ auth }: Context) => String(auth?.user?.id ?? '');

/** @throws {TelephonyError} if a choice is neither true nor false, or there is none */
function skipChoice(given: Record<string, unknown>): SkipChoice {
  const known = ['skipsSent', 'skipsChanged', 'skipsSentSingly'].filter(
    (name) => given[name] !== undefined,
  );
  if (known.length === 0 || known.some((name) => typeof given[name] !== 'boolean'))
    throw new TelephonyError(
      'input',
      sentence('The request lacks the choice of rows to skip. Reload the page.'),
    );
  return Object.fromEntries(known.map((name) => [name, given[name]]));
}

/** The handlers that preview, start, stop, show and delete batches over selected rows. */
export function runHandlers(
  app: Application,
  accounts: Accounts,
  batches: Batches<BatchContext>,
): Record<string, Handler> {
  /** Selects the rows and creates the batch. */
  async function openPreview(context: Context): Promise<NocobaseBatch> {
    const { action: actionId, ...values } = context.action.params.values ?? {};
    const action = actionOf(textOf(actionId));
    const account = await accounts.get(values.account);
    const { dataSource, collection, popups, reader, ...others } = values;
    const request = {
      ...others,
      dataSource: textOf(dataSource),
      collection: textOf(collection),
    } as RowsRequest;
    const right = rightTo(account, action, context);
    let filters: ((reading: Context) => Promise<object[]>) | undefined;
    let maxRows: number | undefined;
    if (right === 'buttons') {
      const setup = await buttonSetup(app, action, request.button, 'SelectedRows');
      await assertPageShown(app, request.button, context);
      if ((await accountOf(accounts, setup)).key !== account.key)
        throw new Forbidden(sentence('This button is for another account.'));
      assertShows(setup, request);
      const own = new ButtonRows(app, context, popups);
      const record = () => own.record(setup.popup);
      request.input = await buttonInput(action, account, setup, request.input, record);
      filters = (reading) => own.filters(setup.block, reading);
      maxRows = maxRowsOf(setup.fields);
    }
    const selected = await selectedRows(app, context, request, filters, maxRows);
    const items = await plan(action, account, selected, { ...request, reader: timeReader(reader) });
    const owner = ownerOf(context);
    const { rows: _, button: __, ...pressed } = request;
    const button = createHash('sha256')
      .update(JSON.stringify([owner, account.key, action.id, pressed]))
      .digest('hex');
    const own = { account: account.key, right };
    const press = { owner, actionId: action.id, scope: account.key, button, context: own };
    return batches.openPreview(press, { items });
  }

  /**
   * Opens a batch for the user who created it. They may see its result even after losing the right to run the action.
   */
  const opened = (key: unknown, context: Context): Promise<NocobaseBatch> =>
    batches.open(textOf(key), ownerOf(context));

  async function start({ key, owner, actionId, context }: NocobaseBatch, request: Context) {
    const action = actionOf(actionId);
    const right = rightTo(await accounts.get(context.account), action, request);
    if (right === 'buttons' && context.right !== right)
      throw new Forbidden(
        sentence('Your permissions have changed. Press the button again. Nothing was sent.'),
      );
    await batches.start(key, owner, {
      action,
      open: async () => (await accounts.get(context.account)).telephony(),
      isConfirmed: true,
      report: (error) => app.logger.error(String((error as Error).stack ?? error)),
    });
  }

  async function view(batch: NocobaseBatch, context: Context) {
    const action = actionOf(batch.actionId);
    const account = async () => (await accounts.get(batch.context.account)).telephony();
    const limits = await batchLimits(account, action, batch, true);
    const previous = { ...(await batches.previousOf(batch)), limits };
    return batchView(action, batch, previous, sayFor(context));
  }

  const acting = (act: (batch: NocobaseBatch, context: Context) => Promise<unknown>): Handler =>
    responding(async (context) => {
      const { key } = context.action.params.values ?? {};
      await act(await opened(key, context), context);
      return view(await opened(key, context), context);
    });

  return {
    choose: responding(async (context) => {
      const { key, ...given } = context.action.params.values ?? {};
      const batch = await opened(key, context);
      return view(await batches.openOther(batch.key, batch.owner, skipChoice(given)), context);
    }),
    preview: responding(async (context) => view(await openPreview(context), context)),
    start: acting(start),
    stop: acting(({ key, owner }) => batches.stop(key, owner)),
    see: acting(async () => {}),
    check: acting(async ({ key, owner, context }) =>
      batches.checkDelivery(key, owner, (await accounts.get(context.account)).telephony()),
    ),
    list: responding(async (context) => {
      const { key, outcome, page } = context.action.params.values ?? {};
      const { actionId, items } = await opened(key, context);
      return batchPage(
        actionOf(actionId),
        items,
        { outcome: textOf(outcome), page: Number(page) },
        sayFor(context),
      );
    }),
    csv: async (context) => {
      const batch = await opened(context.action.params.values?.key, context);
      context.respond = false;
      await sendBatchCsv(context.res, actionOf(batch.actionId), batch, sayFor(context));
    },
    remove: responding(async (context) => {
      const { key, owner } = await opened(context.action.params.values?.key, context);
      await batches.delete(key, owner);
      return {};
    }),
  };
}
