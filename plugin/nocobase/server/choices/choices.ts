import {
  connect,
  definitions,
  nodeHttp,
  type OfferedChoices,
  offeredChoices,
  sentence,
  settingsWithStoredSecrets,
} from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import type { Accounts } from '../account/account.ts';
import { Forbidden, type Rights, rightTo } from '../action/rights.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { responding } from '../responding.ts';
import { sayFor } from '../say-for.ts';
import { textOf } from '../text-of.ts';

/**
 * Checks that the user may change accounts or run the action with any sender.
 *
 * @throws {Forbidden} if they may not
 */
function assertMayChoose({ acl }: Application, rights: Rights, id: string, context: Context) {
  const roles = context.state.currentRoles ?? [];
  if (acl.can({ roles: [...roles], resource: accountsResource, action: 'list' })) return;
  const action = definitions.actions.find((one) => one.id === id);
  if (action && rightTo(rights, action, context) === 'any') return;
  throw new Forbidden(sentence('Your role may not choose the sender.'));
}

/** Writes the problem, if there is one, in the language of the user. */
async function shownChoices(context: Context, offered: Promise<OfferedChoices>) {
  const { choices, problem } = await offered;
  return problem ? { choices, problem: sayFor(context)(problem) } : { choices };
}

/** Lists the choices of an operation's field. */
export const choicesHandlers = (app: Application, accounts: Accounts): Record<string, Handler> => ({
  list: responding(async (context) => {
    const { account: key, operation, field } = context.action.params.values ?? {};
    const open = async () => {
      const account = await accounts.get(key).catch((error) => {
        assertMayChoose(app, { roles: {}, buttonRoles: {} }, textOf(operation), context);
        throw error;
      });
      assertMayChoose(app, account, textOf(operation), context);
      return account.telephony();
    };
    return shownChoices(context, offeredChoices(open, textOf(operation), textOf(field)));
  }),
});

/**
 * Lists the possible default senders of an account.
 *
 * @param typed the form's values; the stored secrets replace empty ones
 */
export const senderChoicesOf = (
  accounts: Accounts,
  context: Context,
  typed: Record<string, unknown>,
): Promise<object> =>
  shownChoices(
    context,
    offeredChoices(async () =>
      connect({
        ...settingsWithStoredSecrets(typed, await accounts.secretsOf(typed.key)),
        http: nodeHttp,
      }),
    ),
  );
