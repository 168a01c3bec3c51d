import { createHash } from 'node:crypto';
import {
  type Action,
  abandon,
  isAction,
  operation,
  runItems,
  TelephonyError,
} from '../../../../src/index.ts';
import type { RowsRequest } from '../../run-view.ts';
import type { Accounts } from '../account/account.ts';
import { buttonInput, buttonSetup } from '../action/button-input.ts';
import { Forbidden, rightTo } from '../action/rights.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { plan } from './plan.ts';
import { selectedRows } from './selected-rows.ts';
import { type Run, Runs } from './stored-run.ts';
import { viewOf } from './view-of.ts';

const userOf = ({ auth }: Context) => String(auth?.user?.id ?? '');

function actionOf(id: unknown): Action {
  const found = operation(textOf(id));
  if (isAction(found)) return found;
  throw new TelephonyError('input', `“${found.name}” is no action.`);
}

/** The handlers of what is done for selected rows: to ask about it, to begin and to stop it, and to see what became of it. */
export function runHandlers(app: Application, accounts: Accounts): Record<string, Handler> {
  const runs = new Runs(app);

  async function ask(context: Context): Promise<Run> {
    const { action: actionId, ...values } = context.action.params.values ?? {};
    const action = actionOf(actionId);
    const account = await accounts.get(values.account);
    const { dataSource, collection } = values;
    const request = {
      ...values,
      dataSource: textOf(dataSource),
      collection: textOf(collection),
    } as RowsRequest;
    if (rightTo(account, action, context) === 'buttons') {
      const setup = await buttonSetup(app, action, request.button, 'SelectedRows');
      if (setup.account && setup.account !== account.key)
        throw new Forbidden('This button is for another account.');
      request.input = buttonInput(action, setup, request.input);
    }
    const selected = await selectedRows(app, context, request);
    const items = plan(action, account, selected, request);
    const userId = userOf(context);
    const { rows: _, ...pressed } = request;
    const button = createHash('sha256')
      .update(JSON.stringify([userId, account.key, action.id, pressed]))
      .digest('hex');
    const asked = { userId, account: account.key, actionId: action.id, button, items };
    return runs.create(asked);
  }

  /** The run that a browser names, for whoever pressed its button: what became of it they see also when they may do no more. */
  async function opened(context: Context): Promise<Run> {
    const run = await runs.find(textOf(context.action.params.values?.key), userOf(context));
    if (!run)
      throw new TelephonyError(
        'not-found',
        'This batch has ended or belongs to someone else. Press the button again.',
      );
    return run;
  }

  async function carryOut(run: Run): Promise<void> {
    try {
      await runItems(actionOf(run.actionId), run.items, {
        open: async () => (await accounts.get(run.account)).telephony(),
        isStopped: () => runs.isStopped(run),
        async save() {
          if (!(await runs.note(run))) throw new Error('The batch was interrupted for too long.');
        },
      });
    } catch (error) {
      abandon(run.items, error);
      throw error;
    } finally {
      await runs.end(run);
    }
  }

  /** Begins it, once however often it is said, and in how many tabs. It goes on when the browser leaves. */
  async function begin(run: Run, context: Context): Promise<void> {
    rightTo(await accounts.get(run.account), actionOf(run.actionId), context);
    const before = await runs.lastBegun(run);
    const isAsAsked = (before?.key ?? null) === (run.previous ?? null);
    const open = { ...run, items: await runs.openItems(run) };
    const isToDo = open.items.some(({ outcome }) => outcome === 'waiting');
    if (isAsAsked && isToDo && (await runs.begin(open)))
      void carryOut(open).catch((error) => app.logger.error(String(error.stack ?? error)));
    else await runs.askAgain(run, await runs.lastBegun(run));
  }

  const seen =
    (act: (context: Context) => Promise<Run>): Handler =>
    async (context, next) => {
      const { key, userId } = await act(context);
      const run = await runs.find(key, userId);
      if (run?.state === 'asked') run.items = await runs.openItems(run);
      if (run) context.body = viewOf(actionOf(run.actionId), run, await runs.lastBegun(run));
      await next();
    };

  const acting = (act: (run: Run, context: Context) => Promise<unknown>) =>
    seen(async (context) => {
      const run = await opened(context);
      await act(run, context);
      return run;
    });

  return {
    ask: seen(async (context) => {
      const run = await ask(context);
      await runs.askAgain(run, await runs.lastBegun(run));
      return run;
    }),
    begin: acting(begin),
    stop: acting((run) => runs.stop(run)),
    see: seen(opened),
  };
}
