import {
  type Action,
  type Clicks,
  checkInput,
  definitions,
  doneSentence,
  type ErrorCode,
  type TelephonyError,
  type TelephonyRecord,
  withSender,
} from '../../../../src/builder.ts';
import { usableAction } from '../../resources.ts';
import type { Accounts } from '../account/account.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { buttonClick } from './button-click.ts';
import { rightTo, usableActions } from './rights.ts';

/** What a browser gets for a click. */
export interface Done {
  record: TelephonyRecord;
  message: string;
}

/** The account and the input that a click means, as far as the user who clicked may decide on them. */
async function meant(app: Application, accounts: Accounts, action: Action, context: Context) {
  const { account: key, input = {}, ...click } = context.action.params.values ?? {};
  const account = await accounts.get(key);
  if (rightTo(account, action, context) === 'any')
    return { account, input: withSender(action, account, Object(input)) };
  return buttonClick(app, accounts, { action, context, input, ...click });
}

/** Runs an action that someone clicked. A double click is one click: all clicks get the one answer. */
const clicked =
  (app: Application, accounts: Accounts, clicks: Clicks<Done>, action: Action): Handler =>
  async (context, next) => {
    const { account, input } = await meant(app, accounts, action, context);
    const values = checkInput(action, input);
    const click = JSON.stringify([context.auth?.user?.id, account.key, action.id, values]);
    context.body = await clicks.once(click, async () => {
      const record = (await account.telephony().run(action.id, values)) as TelephonyRecord;
      return { record, message: doneSentence(action, record) };
    });
    await next();
  };

/** Lists the actions that the current user may use, by the keys of accounts. The client hides the buttons of all others. */
const listUsable =
  (accounts: Accounts): Handler =>
  async (context, next) => {
    const all = await accounts.all();
    context.body = Object.fromEntries(
      all.map((account) => [account.key, usableActions(account, context)]),
    );
    await next();
  };

export const actionHandlers = (
  app: Application,
  accounts: Accounts,
  clicks: Clicks<Done>,
): Record<string, Handler> => ({
  ...Object.fromEntries(
    definitions.actions.map((action) => [action.id, clicked(app, accounts, clicks, action)]),
  ),
  [usableAction]: listUsable(accounts),
});

/** What an answer's status is, by what went wrong; a fault of the service if it is nothing of these. */
const statuses: Partial<Record<ErrorCode, number>> = {
  input: 400,
  settings: 400,
  rejected: 400,
  'not-found': 404,
  'rate-limited': 429,
};

/** The answer to a request that failed: a sentence, its stable code, and the field that it is about. */
export function renderError(error: TelephonyError, context: Context): void {
  const { code, message, field } = error;
  context.status = statuses[code] ?? 502;
  context.body = { errors: [{ message, code, field }] };
}
