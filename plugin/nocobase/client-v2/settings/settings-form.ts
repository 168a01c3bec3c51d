import { Alert, Button, Card, Collapse, Form, Input, Popconfirm, Select, Space, Spin } from 'antd';
import { useEffect, useState } from 'react';
import {
  type ConnectionTest,
  definitions,
  type SettingsField,
  secretKeys,
} from '../../../../src/index.ts';
import { ask, type Host, h, problemOf, translator } from '../host.ts';

interface StoredAccount {
  key?: string;
  label: string;
  /** The secrets that are stored. */
  stored: string[];
  defaultSender?: string;
  roles?: Record<string, string[]>;
}

interface Role {
  name: string;
  title?: string;
}

interface Said {
  type: 'success' | 'error' | 'warning';
  message: string;
}

const { id, name } = definitions.manifest;
const { settings, actions } = definitions;
const resource = `${id}Accounts`;

const fresh = (): StoredAccount => ({ label: name, stored: [] });

const saidOf = ({ outcome, message }: ConnectionTest): Said => ({
  message,
  type: outcome === 'works' ? 'success' : outcome === 'untried' ? 'warning' : 'error',
});

/** The page of the plugin's settings: its accounts, each with a connection test and the roles that may use its actions. */
export function settingsForm(host: Host) {
  const t = translator(host);

  const settingItem = (account: StoredAccount) => (field: SettingsField) => {
    const { key, label, help, placeholder, required } = field;
    const isStored = account.stored.includes(key);
    const isSecret = secretKeys.includes(key);
    const hint = isStored ? t('Stored. Leave it empty to keep it.') : placeholder;
    return h(
      Form.Item,
      {
        key,
        name: key,
        label: t(label),
        extra: t(help ?? ''),
        rules: [{ required: required === true && !isStored, message: t('Fill this in.') }],
      },
      h(isSecret ? Input.Password : Input, {
        placeholder: hint,
        autoComplete: isSecret ? 'new-password' : 'off',
      }),
    );
  };

  const roleItem = (roles: Role[]) => (action: (typeof actions)[number]) =>
    h(
      Form.Item,
      {
        key: action.id,
        name: ['roles', action.id],
        label: t('Roles that may use “{{name}}”', { name: t(action.name) }),
      },
      h(Select, {
        mode: 'multiple',
        allowClear: true,
        placeholder: t('Nobody but root'),
        options: roles.map((role) => ({ value: role.name, label: t(role.title ?? role.name) })),
      }),
    );

  interface AccountProps {
    account: StoredAccount;
    roles: Role[];
    changed(): Promise<void>;
  }

  function AccountForm({ account, roles, changed }: AccountProps) {
    const [form] = Form.useForm();
    const [said, setSaid] = useState<Said | undefined>(undefined);
    const [busy, setBusy] = useState('');

    async function during(what: string, work: () => Promise<Said>) {
      setBusy(what);
      setSaid(undefined);
      try {
        setSaid(await work());
      } catch (error) {
        const { field, message } = problemOf(error);
        if (field && settings.fields.some(({ key }) => key === field))
          form.setFields([{ name: field, errors: [message] }]);
        setSaid({ type: 'error', message });
      } finally {
        setBusy('');
      }
    }
    const values = () => ({ ...form.getFieldsValue(true), key: account.key });
    const test = () =>
      during('test', async () => saidOf(await ask(host, `${resource}:test`, values())));
    const save = () =>
      during('save', async () => {
        await ask(host, `${resource}:save`, values());
        for (const key of secretKeys) form.setFieldValue(key, undefined);
        await changed();
        return {
          type: 'success',
          message: t('Saved. Load the page again to see the data source in blocks.'),
        };
      });
    const remove = () =>
      during('remove', async () => {
        await ask(host, `${resource}:remove`, { key: account.key });
        await changed();
        return { type: 'success', message: t('Removed.') };
      });

    const shown = settings.fields.filter(({ advanced }) => !advanced);
    const advanced = settings.fields.filter((field) => field.advanced);
    const label = h(Form.Item, { name: 'label', label: t('Name') }, h(Input));
    const sender = h(
      Form.Item,
      {
        name: 'defaultSender',
        label: t('Sender'),
        extra: t('Whom messages come from where an action does not say so.'),
      },
      h(Input, { placeholder: '+14155550100' }),
    );
    return h(
      Form,
      { form, layout: 'vertical', initialValues: account, style: { maxWidth: 640 } },
      label,
      shown.map(settingItem(account)),
      sender,
      h(Collapse, {
        ghost: true,
        items: [
          {
            key: 'advanced',
            label: t('Advanced'),
            forceRender: true,
            children: advanced.map(settingItem(account)),
          },
          {
            key: 'roles',
            label: t('Rights'),
            forceRender: true,
            children: actions.map(roleItem(roles)),
          },
        ],
      }),
      said && h(Alert, { ...said, showIcon: true, style: { marginBottom: 16 } }),
      h(
        Space,
        null,
        h(Button, { type: 'primary', onClick: save, loading: busy === 'save' }, t('Save')),
        h(Button, { onClick: test, loading: busy === 'test' }, t('Test connection')),
        account.key &&
          h(
            Popconfirm,
            {
              title: t('Remove this account, and the rights on its data source?'),
              onConfirm: remove,
            },
            h(Button, { danger: true, loading: busy === 'remove' }, t('Remove')),
          ),
      ),
    );
  }

  return function SettingsPage() {
    const [accounts, setAccounts] = useState<StoredAccount[] | undefined>(undefined);
    const [roles, setRoles] = useState<Role[]>([]);
    const [problem, setProblem] = useState('');

    async function load() {
      try {
        setAccounts(await ask<StoredAccount[]>(host, `${resource}:list`));
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
        h(AccountForm, { account, roles, changed: load }),
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
