import { Alert, Form, Input, InputNumber, Switch } from 'antd';
import { authTokenKey } from '../../secrets.ts';
import { h, type ReactNode, type Translate } from '../host.ts';
import type { StoredAccount } from './stored-account.ts';

/** The keys of their values. */
export const eventKeys = ['publicAddress', authTokenKey, 'reported', 'askMinutes'];

const timeOf = (iso: string) => ({ time: new Date(iso).toLocaleString() });

/** What to enter at the service, and what is known of events. */
function news(t: Translate, account: StoredAccount): ReactNode {
  const { eventAddress, askMinutes, askedAt, askProblem, lastEvent } = account;
  if (!eventAddress && !askMinutes) return null;
  const address = h('code', { style: { userSelect: 'all' } }, eventAddress);
  const lines = [
    eventAddress && [t('Enter at the service:'), ' ', address],
    lastEvent ? t('The last event came on {{time}}.', timeOf(lastEvent)) : t('No event came yet.'),
    askedAt && t('The service was last asked on {{time}}.', timeOf(askedAt)),
    askProblem,
  ];
  const message = lines
    .filter(Boolean)
    .map((line, place) => h('div', { key: place }, ...[line].flat()));
  const type = askProblem ? 'warning' : 'info';
  return h(Alert, { key: 'news', type, message, style: { marginBottom: 16 } });
}

/** The inputs of where the service reports events, and what they are signed by. */
export const eventItems = (t: Translate, account: StoredAccount): ReactNode[] => [
  h(
    Form.Item,
    {
      key: 'publicAddress',
      name: 'publicAddress',
      label: t('Public address'),
      extra: t(
        'Where the service reaches this NocoBase, from the internet. Only needed for events, such as an SMS that comes in.',
      ),
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
        'What the service signs events by. Only needed for events of an account whose password is something else, as with an API key.',
      ),
    },
    h(Input.Password, {
      placeholder: account.stored.includes(authTokenKey)
        ? t('Stored. Leave it empty to keep it.')
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
      label: t('Ask for reports'),
      extra: t(
        'The service is asked to report what becomes of what is sent and recorded here, as events.',
      ),
    },
    h(Switch),
  ),
  h(
    Form.Item,
    {
      key: 'askMinutes',
      name: 'askMinutes',
      label: t('Ask every'),
      extra: t(
        'Where the service cannot reach this NocoBase, it is asked for events: with one request each time for messages, one for calls and one for recordings, as far as workflows start from them.',
      ),
    },
    h(InputNumber, { min: 0, max: 1440, addonAfter: t('minutes') }),
  ),
  news(t, account),
];
