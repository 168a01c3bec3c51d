import {
  inEnglish,
  isMissing,
  sentence,
  TelephonyError,
  withSender,
} from '../../../../src/builder.ts';
import { channelType, codeMark, textActions } from '../../channel-types.ts';
import { translated } from '../../translated.ts';
import type { Accounts } from '../account/account.ts';
import { forSingleSends } from '../action/single-sends.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';

/** The settings of a verifier, as an administrator entered them. */
interface ProviderSettings {
  account?: unknown;
  /** The values of the action's fields. */
  input?: Record<string, unknown>;
}

interface Provider {
  title: string;
  provider: unknown;
}

interface Verification {
  smsOTPProviderManager?: { registerProvider(type: string, provider: Provider): void };
}

/** NocoBase's names for the errors that it shows to the person who asked for the code. */
function nameOf(error: unknown, recipient: string): string {
  const { code, field } = error as Partial<TelephonyError>;
  if (code === 'limit-reached' || code === 'rate-limited') return 'RateLimit';
  return code === 'input' && field === recipient ? 'InvalidReceiver' : 'SendSMSFailed';
}

/** The provider that sends the one-time codes of NocoBase's verification plugin by an action. */
const providerOf = (app: Application, accounts: Accounts, one: (typeof textActions)[number]) =>
  class {
    readonly #settings: ProviderSettings;

    constructor(settings: ProviderSettings) {
      this.#settings = Object(settings);
    }

    /** NocoBase makes the code, stores it and checks it. */
    async send(receiver: string, { code }: { code: string }): Promise<void> {
      try {
        await this.#send(receiver, code);
      } catch (error) {
        if (!(error instanceof TelephonyError)) throw error;
        app.logger.error(`Sending a one-time code failed: ${error.message}`);
        throw Object.assign(new Error(error.message), { name: nameOf(error, one.recipient.key) });
      }
    }

    async #send(receiver: string, code: string) {
      const { action, recipient, text } = one;
      const { account: key, input = {} } = this.#settings;
      // A visitor who could choose the channel would choose what the code costs, and from which sender it comes.
      if (/[\p{L}@]/u.test(receiver))
        throw new TelephonyError(
          'input',
          sentence('Enter a phone number with its country code, such as +12025550143.'),
          { field: recipient.key },
        );
      const account = await accounts.get(key);
      const typed = String(input[text.key] ?? '').trim();
      const usual = inEnglish(sentence('Your code is {code}.', { code: codeMark }));
      const template = isMissing(typed) ? usual : typed;
      if (!template.includes(codeMark))
        throw new TelephonyError(
          'input',
          sentence('The text of the one-time code does not contain {mark}.', { mark: codeMark }),
          { field: text.key },
        );
      const values = {
        ...input,
        [recipient.key]: receiver,
        [text.key]: template.replaceAll(codeMark, code),
      };
      const telephony = forSingleSends(account, nocobaseStore(app));
      await telephony.run(action.id, withSender(action, account, values));
    }
  };

/** Registers the actions that send a text as providers of one-time codes, if NocoBase's verification plugin is installed. */
export function registerCodeProviders(app: Application, accounts: Accounts): void {
  const verification = app.pm.get('verification') as Verification | undefined;
  for (const one of textActions)
    verification?.smsOTPProviderManager?.registerProvider(channelType(one.action), {
      title: translated(one.action.name),
      provider: providerOf(app, accounts, one),
    });
}
