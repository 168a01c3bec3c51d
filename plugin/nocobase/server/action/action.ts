import {
  type Action,
  type Clicks,
  checkInput,
  definitions,
  doneSentence,
  type ErrorCode,
  type TelephonyError,
  type TelephonyRecord,
  timeWriter,
  withSender,
} from '../../../../src/builder.ts';
import { usableAction } from '../../resources.ts';
import type { UsableAccount } from '../../usable-account.ts';
import type { Accounts } from '../account/account.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { responding } from '../responding.ts';
import { sayFor } from '../say-for.ts';
import { nocobaseStore } from '../store.ts';
import { timeReader } from '../time-reader.ts';
import { buttonClick } from './button-click.ts';
import { type Forbidden, rightTo, usableActions } from './rights.ts';
import { forSingleSends } from './single-sends.ts';

/** The response to a click. */
export interface Done {
  record: TelephonyRecord;
  message: string;
}

/** Resolves the account and the input of a click. Which values the browser may set depends on the user's rights. */
async function resolveClick(
  app: Application,
  accounts: Accounts,
  action: Action,
  context: Context,
) {
  const { account: key, input = {}, ...click } = context.action.params.values ?? {};
  const account = await accounts.get(key);
  if (rightTo(account, action, context) === 'any')
    return { account, input: withSender(action, account, Object(input)) };
  return buttonClick(app, accounts, { action, context, input, ...click });
}

/** Runs an action once per click: every click of a double click gets the same result. */
const clickHandler = (
  app: Application,
  accounts: Accounts,
  clicks: Clicks<Done>,
  action: Action,
): Handler =>
  responding(async (context) => {
    const { account, input } = await resolveClick(app, accounts, action, context);
    const values = checkInput(action, input);
    const click = JSON.stringify([context.auth?.user?.id, account.key, action.id, values]);
    const run = async () => {
      const telephony = forSingleSends(account, nocobaseStore(app));
      const record = (await telephony.run(action.id, values)) as TelephonyRecord;
      const { reader } = context.action.params.values ?? {};
      const say = sayFor(context, timeWriter(timeReader(reader)));
      return { record, message: doneSentence(action, record, say) };
    };
    return clicks.once(click, run, { text: action.ifUnknown });
  });

/** Renders the error of a missing right, as NocoBase does, in the language of the user. */
export function renderForbidden({ status, said }: Forbidden, context: Context): void {
  context.status = status;
  context.body = { errors: [{ message: sayFor(context)(said) }] };
}

/** Lists what the user may do, by account key. The client hides the other actions' buttons and fields. */
const listUsable = (accounts: Accounts): Handler =>
  responding(async (context) => {
    const all = await accounts.all();
    const entries = all.map((account): [string, UsableAccount] => [
      account.key,
      { rights: usableActions(account, context), hasSender: account.defaultSender !== '' },
    ]);
    return Object.fromEntries(entries);
  });

export const actionHandlers = (
  app: Application,
  accounts: Accounts,
  clicks: Clicks<Done>,
): Record<string, Handler> => ({
  ...Object.fromEntries(
    definitions.actions.map((action) => [action.id, clickHandler(app, accounts, clicks, action)]),
  ),
  [usableAction]: listUsable(accounts),
});

/** The HTTP status of each error code. The others are failures of the service. */
const statuses: Partial<Record<ErrorCode, number>> = {
  input: 400,
  settings: 400,
  rejected: 400,
  'not-found': 404,
  'rate-limited': 429,
  'limit-reached': 429,
};

/** Renders an error: its message, its stable code and the field that caused it. */
export function renderError(error: TelephonyError, context: Context): void {
  const { code, said, field } = error;
  const message = sayFor(context)(said);
  context.status = statuses[code] ?? 502;
  context.body = { errors: [{ message, code, field }] };
}
