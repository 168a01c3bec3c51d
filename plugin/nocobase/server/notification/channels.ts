import {
  type Action,
  type BatchRow,
  type Field,
  isMissing,
  sentence,
  type Telephony,
  TelephonyError,
  withSender,
} from '../../../../src/builder.ts';
import { channelActions, channelType } from '../../channel-types.ts';
import type { Accounts } from '../account/account.ts';
import { forSingleSends } from '../action/single-sends.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import { textOf } from '../text-of.ts';
import { withAppTimes } from '../time-reader.ts';

/** A notification, as NocoBase's notification manager passes it to a channel. */
interface Notification {
  /** The `input` of a form, or the texts that a program sends to users. */
  message: { input?: Record<string, unknown>; content?: unknown; body?: unknown };
  channel: { options?: { account?: unknown } };
  receivers?: { type: string; value: unknown };
}

/** NocoBase stores it in its log of notifications. */
interface Sent {
  status: 'success' | 'failure';
  reason?: string;
  message: Notification['message'];
}

/** The recipients in an input: a list, or numbers that are separated by commas. */
const recipientsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((one) => textOf(one).split(/[,;\n]/))
    .map((one) => one.trim())
    .filter((one) => one !== '');

/**
 * The phone numbers of users.
 *
 * @throws {TelephonyError} if one has none, before anything is sent
 */
async function phonesOf(app: Application, ids: unknown): Promise<string[]> {
  const users = app.db.getRepository('users');
  const numbers: string[] = [];
  // One by one, so that a user who doesn't exist is an error, too.
  for (const id of new Set([ids].flat())) {
    const key = typeof id === 'number' ? String(id) : textOf(id).trim();
    const user = /^\d+$/.test(key) ? await users.findOne({ filterByTk: key }) : undefined;
    const phone = textOf(user?.toJSON().phone).trim();
    if (phone === '')
      throw new TelephonyError(
        'input',
        sentence(
          'User {id} has no phone number, so no one was notified. Enter it under Users & Permissions.',
          { id: key },
        ),
      );
    numbers.push(phone);
  }
  return numbers;
}

/** Sends the same to each recipient once. Resolves to why it failed, by recipient. */
async function sendToAll(
  action: Action,
  telephony: Telephony,
  rows: (BatchRow & { to: string })[],
): Promise<string[]> {
  const problems: string[] = [];
  await telephony.runBatch(action.id, rows, {
    onResult: ({ to }, { error }) => {
      if (error !== undefined) problems.push(`${to}: ${(error as Error).message}`);
    },
  });
  return problems;
}

/** The channel of an action that sends something to a recipient. */
const channelOf = (action: Action, recipient: Field, accounts: Accounts) =>
  class {
    readonly #app: Application;

    constructor(app: Application) {
      this.#app = app;
    }

    async send({ message, channel, receivers }: Notification): Promise<Sent> {
      try {
        const problems = await this.#send(message, channel.options?.account, receivers);
        if (problems.length === 0) return { status: 'success', message };
        return { status: 'failure', reason: problems.join(' '), message };
      } catch (error) {
        if (!(error instanceof TelephonyError)) throw error;
        return { status: 'failure', reason: error.message, message };
      }
    }

    async #send(
      { input = {}, content, body }: Notification['message'],
      key: unknown,
      receivers: Notification['receivers'],
    ) {
      const account = await accounts.get(key);
      const text = action.fields.find(({ multiline }) => multiline);
      const filled = Object.entries(input).filter(([, value]) => !isMissing(value));
      const given = {
        ...(text && { [text.key]: content ?? body }),
        ...Object.fromEntries(filled),
      };
      // NocoBase has filled in its variables.
      const values = await withAppTimes(this.#app, action, given);
      const numbers =
        receivers?.type === 'userId'
          ? await phonesOf(this.#app, receivers.value)
          : recipientsIn(values[recipient.key]);
      if (numbers.length === 0)
        throw new TelephonyError(
          'input',
          sentence('The notification has no recipient with a phone number.'),
        );
      const rows = numbers.map((to) => ({
        to,
        input: withSender(action, account, { ...values, [recipient.key]: to }),
      }));
      const store = nocobaseStore(this.#app);
      return sendToAll(action, forSingleSends(account, store), rows);
    }
  };

interface Notifications {
  /** @param type `useQueue`: without the queue, a workflow learns whether its notification was sent */
  registerChannelType(type: { type: string; Channel: unknown; useQueue: boolean }): void;
}

/** Registers a channel for each action with a recipient, if NocoBase's notification manager is installed. */
export function registerChannels(app: Application, accounts: Accounts): void {
  const notifications = app.pm.get('notification-manager') as Notifications | undefined;
  for (const { action, recipient } of channelActions)
    notifications?.registerChannelType({
      type: channelType(action),
      Channel: channelOf(action, recipient, accounts),
      useQueue: false,
    });
}
