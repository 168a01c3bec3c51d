import { Alert, Button, Card, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { definitions } from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import { type Host, h, problemOf, request, translator } from '../host.ts';
import { AccountForm } from './account-form.ts';
import type { Role, StoredAccount } from './stored-account.ts';

const { manifest, settings } = definitions;

/** An account on the page. Its `place` doesn't change when it is saved for the first time. */
interface Shown {
  place: number;
  account: StoredAccount;
}

const fresh = (place: number): Shown => ({ place, account: { label: manifest.name, stored: [] } });

/** The settings page, which lists the accounts. */
export function settingsForm(host: Host) {
  const t = translator(host);

  return function SettingsPage() {
    const [shown, setShown] = useState<Shown[] | undefined>(undefined);
    const [roles, setRoles] = useState<Role[]>([]);
    const [problem, setProblem] = useState('');

    async function load() {
      try {
        const accounts = await request<StoredAccount[]>(host, `${accountsResource}:list`);
        const known = accounts.map((account, place) => ({ place, account }));
        setShown(known.length > 0 ? known : [fresh(0)]);
        const all = await request<Role[]>(host, 'roles:list?paginate=false');
        // Root may do everything.
        setRoles(all.filter(({ name }) => name !== 'root'));
      } catch (error) {
        setProblem(problemOf(error).message);
      }
    }
    useEffect(() => {
      load();
      return undefined;
    }, []);

    if (problem) return h(Alert, { type: 'error', message: problem });
    if (!shown) return h(Spin);
    const next = Math.max(0, ...shown.map(({ place }) => place)) + 1;
    const card = ({ place, account }: Shown) => {
      const others = shown.filter((one) => one.place !== place);
      const put = (saved: StoredAccount) =>
        setShown(shown.map((one) => (one.place === place ? { place, account: saved } : one)));
      const drop = () => setShown(others.length > 0 ? others : [fresh(next)]);
      const form = h(AccountForm, { host, account, roles, saved: put, removed: drop });
      return h(Card, { key: place, title: account.label, style: { marginBottom: 16 } }, form);
    };
    const add = () => setShown([...shown, fresh(next)]);
    const canAdd = shown.every(({ account }) => account.key);
    return h(
      'div',
      null,
      h('p', null, t(settings.description)),
      shown.map(card),
      canAdd && h(Button, { type: 'dashed', onClick: add }, t('Add account')),
    );
  };
}
