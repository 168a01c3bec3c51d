import { Alert, Form, Input, InputNumber, Switch, Typography } from 'antd';
import { authTokenKey } from '../../secrets.ts';
import { h, type ReactNode, type Translate } from '../host.ts';
import { timeText } from '../time-text.ts';
import { type LoadNumbers, Numbers } from './numbers.ts';
import type { StoredAccount } from './stored-account.ts';

/** The keys of the event settings. */
export const eventKeys = ['publicAddress', authTokenKey, 'reported', 'pollMinutes'];

const timeOf = (iso: string) => ({ time: timeText(iso) });

/** Shows the webhook URL and the status of webhooks and polling. */
function news(t: Translate, account: StoredAccount): ReactNode {
  const { eventAddress, pollMinutes, polledAt, pollProblem, lastEvent } = account;
  if (!eventAddress && !pollMinutes) return null;
  const address = h(Typography.Text, { code: true, copyable: true }, eventAddress);
  const lines = [
    eventAddress && [t('Webhook URL:'), ' ', address],
    lastEvent ? t('Last event: {{time}}.', timeOf(lastEvent)) : t('No event received yet.'),
    polledAt && t('Last poll: {{time}}.', timeOf(polledAt)),
    pollProblem,
  ];
  const message = lines
    .filter(Boolean)
    .map((line, place) => h('div', { key: place }, ...[line].flat()));
  const type = pollProblem ? 'warning' : 'info';
  return h(Alert, { key: 'news', type, message, style: { marginBottom: 16 } });
}

/** The inputs of the event settings. */
export const eventItems = (
  t: Translate,
  account: StoredAccount,
  numbers: LoadNumbers,
): ReactNode[] => [
  h(
    Form.Item,
    {
      key: 'publicAddress',
      name: 'publicAddress',
      label: t('Public URL'),
      extra: t('The public URL of this NocoBase. Only needed for webhooks, such as incoming SMS.'),
    },
    h(Input, { placeholder: 'https://app.example.com', autoComplete: 'off' }),
  ),
  h(
    Form.Item,
    {
      key: authTokenKey,
      name: authTokenKey,
      label: t('Auth Token'),
      extra: t(
        'Only needed with an API key or for a subaccount: the Auth Token that signs webhooks.',
      ),
    },
    h(Input.Password, {
      placeholder: account.stored.includes(authTokenKey)
        ? t('Stored. Leave empty to keep it.')
        : undefined,
      autoComplete: 'new-password',
    }),
  ),
  h(
    Form.Item,
    {
      key: 'reported',
      name: 'reported',
      valuePropName: 'checked',
      label: t('Status reports'),
      extra: t(
        'Starts an event each time the status of a call, message or recording that you started changes.',
      ),
    },
    h(Switch),
  ),
  h(
    Form.Item,
    {
      key: 'pollMinutes',
      name: 'pollMinutes',
      label: t('Poll every'),
      extra: t(
        "Set this if the service can't reach this NocoBase. Each poll sends up to three requests: for messages, calls and recordings, if they trigger workflows.",
      ),
    },
    h(InputNumber, { min: 0, max: 1_440, addonAfter: t('minutes') }),
  ),
  news(t, account),
  // Another public URL makes what it shows wrong.
  account.key && h(Numbers, { key: `numbers ${account.publicAddress}`, t, load: numbers }),
];
