import { randomBytes } from 'node:crypto';
import {
  connect,
  definitions,
  pickSettings,
  secretKeys,
  settingsWithStoredSecrets,
  TelephonyError,
} from '../../../../src/index.ts';
import { accountsResource } from '../../resources.ts';
import type { Account, Accounts } from '../account/account.ts';
import { dataSourceType } from '../data-source/data-source.ts';
import type { Application, Context, Handler } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { testConnection } from './connection-test.ts';

type SettingValues = Record<string, unknown>;

/** What the settings page gets: of a secret, whether there is one. */
function shown({ key, label, settings, defaultSender, roles }: Account) {
  const open = Object.entries(settings).filter(([name]) => !secretKeys.includes(name));
  const has = secretKeys.filter((name) => settings[name]);
  return { key, label, ...Object.fromEntries(open), defaultSender, roles, stored: has };
}

const rolesIn = (typed: unknown): Record<string, string[]> => {
  const roles = new Map(Object.entries(Object(typed ?? {})));
  const named = (value: unknown) =>
    Array.isArray(value) ? value.filter((role) => typeof role === 'string') : [];
  return Object.fromEntries(definitions.actions.map(({ id }) => [id, named(roles.get(id))]));
};

export function settingsActions(app: Application, accounts: Accounts): Record<string, Handler> {
  const rows = () => app.db.getRepository(accountsResource);
  const sources = () => app.db.getRepository('dataSources');

  async function store(key: string, typed: SettingValues, settings: SettingValues) {
    const encrypted = secretKeys.map(async (name) => {
      return [name, await app.aesEncryptor.encrypt(textOf(settings[name]))];
    });
    const values = {
      ...settings,
      ...Object.fromEntries(await Promise.all(encrypted)),
      label: textOf(typed.label).trim() || definitions.manifest.name,
      defaultSender: textOf(typed.defaultSender).trim(),
      roles: rolesIn(typed.roles),
    };
    const known = await rows().findOne({ filterByTk: key });
    if (known) await rows().update({ filterByTk: key, values });
    else await rows().create({ values: { ...values, key } });
    const displayName = values.label;
    // A data source that is created is loaded, and keeps the rights that roles are given on it.
    if (await sources().findOne({ filterByTk: key }))
      await sources().update({ filterByTk: key, values: { displayName } });
    else
      await sources().create({
        values: { key, type: dataSourceType, displayName, enabled: true, options: {} },
      });
  }

  async function save({ action }: Context): Promise<unknown> {
    const typed = action.params.values ?? {};
    const key = textOf(typed.key);
    const known = key ? await accounts.find(key) : undefined;
    const settings = settingsWithStoredSecrets(pickSettings(typed), known?.settings ?? {});
    // What no account can be opened with is not stored.
    connect(settings);
    const own = known?.key ?? (await freshKey());
    await store(own, typed, { ...settings });
    return shown(await accounts.get(own));
  }

  // NocoBase deletes no data source of which a role may see some rows only.
  async function removeRights(key: string) {
    const granted = app.db.getRepository('dataSourcesRolesResourcesActions');
    await granted.destroy({ filter: { 'resource.dataSourceKey': key } });
  }

  async function freshKey() {
    const { id } = definitions.manifest;
    const isTaken = await sources().findOne({ filterByTk: id });
    return isTaken ? `${id}-${randomBytes(3).toString('hex')}` : id;
  }

  const answer =
    (work: (context: Context) => Promise<unknown>): Handler =>
    async (context, next) => {
      context.body = await work(context);
      await next();
    };

  return {
    list: answer(async () => (await accounts.all()).map(shown)),
    save: answer(save),
    test: answer(({ action }) => testConnection(accounts, action.params.values ?? {})),
    remove: answer(async ({ action }) => {
      const { key } = action.params.values ?? {};
      if (typeof key !== 'string' || key === '')
        throw new TelephonyError('input', 'It is not said which account is to be removed.');
      await removeRights(key);
      // Its row goes with it.
      await sources().destroy({ filterByTk: key });
      return {};
    }),
  };
}
