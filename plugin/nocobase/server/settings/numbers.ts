import {
  type NumbersView,
  numberPress,
  numberWebhooks,
  sayNumbers,
} from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import { settingsOf } from '../account/stored-account.ts';
import { webhookUrl } from '../event/webhook.ts';
import type { Application, Context } from '../nocobase.ts';
import { sayFor } from '../say-for.ts';
import { nocobaseStore } from '../store.ts';

/** Lists the numbers of a stored account with where their SMS and calls go, and presses a button of one of them first. */
export async function numbersOf(
  app: Application,
  accounts: Accounts,
  context: Context,
): Promise<NumbersView<string>> {
  const { key, ...pressed } = context.action.params.values ?? {};
  const open = async () => {
    const account = await accounts.get(key);
    return {
      ...{ telephony: account.telephony(), settings: settingsOf(account) },
      ...{ url: webhookUrl(account), authToken: account.authToken, store: nocobaseStore(app) },
    };
  };
  return sayNumbers(await numberWebhooks(open, numberPress(pressed)), sayFor(context));
}
