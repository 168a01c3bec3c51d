import { Alert, Button, Form, Popconfirm, Space } from 'antd';
import { useState } from 'react';
import { type ConnectionTest, definitions } from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import { allSecretKeys, secretsTogether } from '../../secrets.ts';
import { type Host, h, problemOf, request, translator } from '../host.ts';
import { accountItems } from './account-items.ts';
import { eventKeys } from './event-items.ts';
import { limitKeys } from './limit-items.ts';
import type { LoadNumbers } from './numbers.ts';
import type { Role, StoredAccount } from './stored-account.ts';

/** The message below the form. */
interface Feedback {
  type: 'success' | 'error' | 'warning';
  message: string;
}

export interface AccountFormProps {
  host: Host;
  account: StoredAccount;
  roles: Role[];
  saved(account: StoredAccount): void;
  removed(): void;
}

const formKeys = [...definitions.settings.fields.map(({ key }) => key), ...eventKeys, ...limitKeys];

const types: Partial<Record<ConnectionTest['outcome'], Feedback['type']>> = {
  works: 'success',
  'other-sender': 'warning',
  untried: 'warning',
};

const feedbackOf = ({ outcome, message }: ConnectionTest): Feedback => ({
  message,
  type: types[outcome] ?? 'error',
});

/** Runs a form's requests, and returns which one is in progress and the last result. */
function useWork() {
  const [form] = Form.useForm();
  const [feedback, setFeedback] = useState<Feedback | undefined>(undefined);
  const [busy, setBusy] = useState('');
  const during = (what: string, work: () => Promise<Feedback>) => async () => {
    setBusy(what);
    setFeedback(undefined);
    try {
      setFeedback(await work());
    } catch (error) {
      const { field, message } = problemOf(error);
      if (field && formKeys.includes(field)) form.setFields([{ name: field, errors: [message] }]);
      setFeedback({ type: 'error', message });
    } finally {
      setBusy('');
    }
  };
  return { form, feedback, busy, during };
}

/** The form of an account, with a connection test. */
export function AccountForm({ host, account, roles, saved, removed }: AccountFormProps) {
  const { form, feedback, busy, during } = useWork();
  const t = translator(host);
  const done = (message: string): Feedback => ({ type: 'success', message: t(message) });
  const send = <Result>(action: string) =>
    request<Result>(host, `${accountsResource}:${action}`, {
      ...secretsTogether(form.getFieldsValue(true)),
      key: account.key,
    });
  const numbers: LoadNumbers = (press) =>
    request(host, `${accountsResource}:numbers`, { ...press, key: account.key });
  const isNew = account.key === undefined;
  const test = during('test', async () => feedbackOf(await send('test')));
  const save = during('save', async () => {
    saved(await send<StoredAccount>('save'));
    for (const key of allSecretKeys) form.setFieldValue(key, undefined);
    return done(isNew ? 'Saved. Reload the page to use the data source in blocks.' : 'Saved.');
  });
  const remove = during('remove', async () => {
    await send('remove');
    removed();
    return done('Removed.');
  });

  const button = (what: string, label: string, more: object) =>
    h(Button, { loading: busy === what, ...more }, t(label));
  const removal = h(
    Popconfirm,
    { title: t('Remove this account and the permissions on its data source?'), onConfirm: remove },
    button('remove', 'Remove', { danger: true }),
  );
  // The ids of fields contain the form's name. With equal ids, a label would focus the field of another account.
  const name = `account-${account.key ?? ''}`;
  return h(
    Form,
    { form, name, layout: 'vertical', initialValues: account, style: { maxWidth: 640 } },
    accountItems({ t, account, roles, senders: () => send('senders'), numbers }),
    feedback && h(Alert, { ...feedback, showIcon: true, style: { marginBottom: 16 } }),
    h(
      Space,
      null,
      button('save', 'Save', { type: 'primary', onClick: save }),
      button('test', 'Test connection', { onClick: test }),
      account.key && removal,
    ),
  );
}
