import {
  type Action,
  checkInput,
  definitions,
  doneSentence,
  type ErrorCode,
  emptySenderField,
  onceWithin,
  type TelephonyError,
  type TelephonyRecord,
  withCountryCodes,
} from '../../../../src/index.ts';
import { isMissing } from '../../is-missing.ts';
import type { Account, Accounts } from '../account/account.ts';
import type { Context, Handler } from '../nocobase.ts';

/** How long after its end a click is still the same one, in milliseconds. */
const window = 2000;

const once = onceWithin<TelephonyRecord>(window);

type InputValues = Record<string, unknown>;

/** Someone may not do something. NocoBase answers with the status. */
class Forbidden extends Error {
  readonly status = 403;
}

/** The input of an action, from the sender of the account where there is none, with country codes where these are known. */
export function withSender(
  action: Action,
  { defaultSender, settings }: Account,
  input: InputValues,
): InputValues {
  const sender = emptySenderField(action, (key) => !isMissing(input[key]));
  const sent = sender && defaultSender ? { ...input, [sender.key]: defaultSender } : input;
  return withCountryCodes(action, sent, settings.defaultCountry);
}

/**
 * Makes sure that someone's role was granted an action.
 *
 * @throws {Forbidden} when it was not
 */
export function assertMayRun({ roles }: Account, { id, name }: Action, { state }: Context): void {
  const isGranted = (role: string) => role === 'root' || roles[id]?.includes(role);
  if (!(state.currentRoles ?? []).some(isGranted))
    throw new Forbidden(`Your role may not use “${name}”.`);
}

/** Does an action that someone clicked. A double click is one click: all clicks get the one answer. */
const clicked =
  (accounts: Accounts, action: Action): Handler =>
  async (context, next) => {
    const { account: key, input = {} } = context.action.params.values ?? {};
    const account = await accounts.get(key);
    assertMayRun(account, action, context);
    const values = checkInput(action, withSender(action, account, Object(input)));
    const click = JSON.stringify([context.auth?.user?.id, account.key, action.id, values]);
    const record = await once(click, async () => {
      const done = await account.telephony().run(action.id, values);
      return done as TelephonyRecord;
    });
    context.body = { record, message: doneSentence(action, record) };
    await next();
  };

export const actionHandlers = (accounts: Accounts): Record<string, Handler> =>
  Object.fromEntries(definitions.actions.map((action) => [action.id, clicked(accounts, action)]));

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
