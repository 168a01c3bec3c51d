import { Alert, Button, Card, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { definitions } from '../../../../src/index.ts';
import { accountsResource } from '../../resources.ts';
import { ask, type Host, h, problemOf, translator } from '../host.ts';
import { AccountForm } from './account-form.ts';
import type { Role, StoredAccount } from './stored-account.ts';

const { manifest, settings } = definitions;

const fresh = (): StoredAccount => ({ label: manifest.name, stored: [] });

/** The page of the plugin's settings: its accounts. */
export function settingsForm(host: Host) {
  const t = translator(host);

  return function SettingsPage() {
    const [accounts, setAccounts] = useState<StoredAccount[] | undefined>(undefined);
    const [roles, setRoles] = useState<Role[]>([]);
    const [problem, setProblem] = useState('');

    async function load() {
      try {
        setAccounts(await ask<StoredAccount[]>(host, `${accountsResource}:list`));
        setRoles(await ask<Role[]>(host, 'roles:list?paginate=false'));
      } catch (error) {
        setProblem(problemOf(error).message);
      }
    }
    useEffect(() => {
      load();
    }, []);

    if (problem) return h(Alert, { type: 'error', message: problem });
    if (!accounts) return h(Spin);
    const shown = accounts.length > 0 ? accounts : [fresh()];
    const card = (account: StoredAccount, index: number) =>
      h(
        Card,
        { key: account.key ?? `new-${index}`, title: account.label, style: { marginBottom: 16 } },
        h(AccountForm, { host, account, roles, changed: load }),
      );
    const add = () => setAccounts([...accounts, fresh()]);
    return h(
      'div',
      { style: { padding: 24 } },
      h('p', null, t(settings.description)),
      shown.map(card),
      accounts.length > 0 && h(Button, { type: 'dashed', onClick: add }, t('Add account')),
    );
  };
}
