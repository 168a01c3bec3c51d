import { randomBytes } from 'node:crypto';
import {
  connect,
  definitions,
  pickLimits,
  pickSettings,
  pollIntervalMs,
  pollStateOf,
  type SpendingLimits,
  secretKeys,
  sentence,
  settingsWithStoredSecrets,
  TelephonyError,
  type Usage,
} from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import { authTokenKey, secretsApart } from '../../secrets.ts';
import type { Account, Accounts } from '../account/account.ts';
import { sealedRow, withoutSecrets } from '../account/sealed-row.ts';
import type { StoredAccount } from '../account/stored-account.ts';
import { senderChoicesOf } from '../choices/choices.ts';
import { dataSourceType } from '../data-source/data-source.ts';
import { deliveryLogOf } from '../event/delivery-logs.ts';
import type { EventWorkflows } from '../event/event-workflows.ts';
import { assertCanReceive, webhookUrl } from '../event/webhook.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { responding } from '../responding.ts';
import { sayFor } from '../say-for.ts';
import { nocobaseStore } from '../store.ts';
import { textOf } from '../text-of.ts';
import { testConnection } from './connection-test.ts';
import { numbersOf } from './numbers.ts';

const minute = 60_000;

/** Returns how much an account has sent; undefined if its settings can't connect. */
async function usageOf(account: Account): Promise<Usage | undefined> {
  try {
    return await account.telephony().usage();
  } catch (error) {
    if (error instanceof TelephonyError) return undefined;
    throw error;
  }
}

/** Returns an account for the settings page: of the secrets, only which are set. */
async function shown(
  app: Application,
  account: Account,
  workflows: EventWorkflows,
  context: Context,
) {
  const { key, label, settings, secrets, authToken, defaultSender, roles, buttonRoles } = account;
  const { publicAddress, reported, pollMinutes } = account;
  const has = secretKeys.filter((name) => secrets[name]);
  const { answeredAt, problem } = await pollStateOf(nocobaseStore(app), key).read();
  const lastEvent = await deliveryLogOf(app, key).last();
  const eventProblem = lastEvent && (await workflows.problemOf(account));
  return {
    ...{ ...settings, ...account.limits },
    ...{ key, label, defaultSender, roles, buttonRoles },
    ...{ publicAddress, reported, pollMinutes: pollMinutes || undefined },
    stored: authToken ? [...has, authTokenKey] : has,
    eventAddress: webhookUrl(account),
    polledAt: answeredAt && new Date(answeredAt).toISOString(),
    pollProblem: problem && sayFor(context)(problem),
    usage: await usageOf(account),
    lastEvent: lastEvent?.toISOString(),
    eventProblem: eventProblem && sayFor(context)(eventProblem),
  };
}

const rolesIn = (typed: unknown): Record<string, string[]> => {
  const roles = new Map(Object.entries(Object(typed ?? {})));
  const named = (value: unknown) =>
    Array.isArray(value) ? value.filter((role) => typeof role === 'string') : [];
  return Object.fromEntries(definitions.actions.map(({ id }) => [id, named(roles.get(id))]));
};

/** Columns of numbers hold no empty text. */
const limitsIn = (values: object): SpendingLimits =>
  Object.fromEntries(
    Object.entries(pickLimits(values)).map(([key, value]) => [key, value === '' ? null : value]),
  );

export function settingsActions(
  app: Application,
  accounts: Accounts,
  workflows: EventWorkflows,
): Record<string, Handler> {
  const rows = () => app.db.getRepository(accountsResource);
  const sources = () => app.db.getRepository('dataSources');

  async function store({ key, settings, limits, secrets, authToken, ...own }: StoredAccount) {
    const hidden = sealedRow(app, key, { ...secrets, [authTokenKey]: authToken });
    const values = { ...settings, ...limits, ...own, ...hidden };
    const known = await rows().findOne({ filterByTk: key });
    if (known) await rows().update({ filterByTk: key, values });
    else await rows().create({ values: { ...values, key } });
    // Events that happen while polling is off are not delivered later.
    if (own.pollMinutes === 0) await pollStateOf(nocobaseStore(app), key).reset();
    const displayName = values.label;
    // Creating a data source loads it. Updating keeps the rights that roles have on it.
    if (await sources().findOne({ filterByTk: key }))
      await sources().update({ filterByTk: key, values: { displayName } });
    else
      await sources().create({
        values: { key, type: dataSourceType, displayName, enabled: true, options: {} },
      });
  }

  async function save(context: Context): Promise<unknown> {
    const typed = secretsApart(context.action.params.values);
    const key = textOf(typed.key);
    const known = key ? await accounts.find(key) : undefined;
    const settings = settingsWithStoredSecrets(pickSettings(typed), known?.secrets ?? {});
    // Values missing from the form stay as they are.
    const own = { ...known, ...typed };
    const account = {
      key: known?.key ?? (await freshKey()),
      settings: withoutSecrets({ ...settings }),
      limits: limitsIn({ ...known?.limits, ...typed }),
      secrets: { ...settings },
      label: textOf(own.label).trim() || definitions.manifest.name,
      defaultSender: textOf(own.defaultSender).trim(),
      publicAddress: textOf(own.publicAddress).trim(),
      authToken: textOf(typed.authToken).trim() || known?.authToken || '',
      reported: own.reported === true,
      pollMinutes: pollIntervalMs(own.pollMinutes) / minute,
      roles: rolesIn(own.roles),
      buttonRoles: rolesIn(own.buttonRoles),
    };
    // Don't store settings that can't connect or can't receive events.
    connect({ ...settings, spending: account.limits });
    assertCanReceive(account);
    await store(account);
    return shown(app, await accounts.get(account.key), workflows, context);
  }

  // NocoBase deletes no data source with row-level rights.
  async function removeRights(key: string) {
    const granted = app.db.getRepository('dataSourcesRolesResourcesActions');
    await granted.destroy({ filter: { 'resource.dataSourceKey': key } });
  }

  async function freshKey() {
    const { id } = definitions.manifest;
    const isTaken = await sources().findOne({ filterByTk: id });
    return isTaken ? `${id}-${randomBytes(3).toString('hex')}` : id;
  }

  return {
    list: responding(async (context) =>
      Promise.all((await accounts.all()).map((one) => shown(app, one, workflows, context))),
    ),
    save: responding(save),
    test: responding((context) =>
      testConnection(accounts, secretsApart(context.action.params.values), sayFor(context)),
    ),
    senders: responding((context) =>
      senderChoicesOf(accounts, context, secretsApart(context.action.params.values)),
    ),
    numbers: responding((context) => numbersOf(app, accounts, context)),
    remove: responding(async ({ action }) => {
      const { key } = action.params.values ?? {};
      if (typeof key !== 'string' || key === '')
        throw new TelephonyError('input', sentence('No account given.'));
      await removeRights(key);
      // The account's row is deleted with it.
      await sources().destroy({ filterByTk: key });
      return {};
    }),
  };
}
