import { Alert, Collapse, Form, Input, Select, Table, Typography } from 'antd';
import { definitions, type SettingsField, secretKeys } from '../../../../src/builder.ts';
import { textIn } from '../../translated.ts';
import { ChoiceInput } from '../choices/choice-input.ts';
import type { LoadChoices } from '../choices/use-choices.ts';
import { h, type ReactNode, type Translate } from '../host.ts';
import { eventItems } from './event-items.ts';
import { limitItems, reachedNews } from './limit-items.ts';
import type { LoadNumbers } from './numbers.ts';
import type { Role, StoredAccount } from './stored-account.ts';

const { settings, actions } = definitions;

/** The props of an account form's items. */
export interface ItemProps {
  t: Translate;
  account: StoredAccount;
  roles: Role[];
  /** Loads the possible default senders, with the settings in the form. */
  senders: LoadChoices;
  /** Loads the account's numbers, with the stored settings. */
  numbers: LoadNumbers;
}

function settingItem({ t, account }: ItemProps, field: SettingsField) {
  const { key, label, help, placeholder, required } = field;
  const isStored = account.stored.includes(key);
  const isSecret = secretKeys.includes(key);
  const hint = isStored ? t('Stored. Leave empty to keep it.') : placeholder;
  return h(
    Form.Item,
    {
      key,
      name: key,
      label: t(label),
      extra: t(help ?? ''),
      rules: [{ required: required === true && !isStored, message: t('This field is required.') }],
    },
    h(isSecret ? Input.Password : Input, {
      placeholder: hint,
      autoComplete: isSecret ? 'new-password' : 'off',
    }),
  );
}

const settingItems = (props: ItemProps, isAdvanced: boolean) =>
  settings.fields
    .filter(({ advanced = false }) => advanced === isAdvanced)
    .map((field) => settingItem(props, field));

const roleItem = ({ t, roles }: ItemProps, name: string[], label: string, none: string) =>
  h(
    Form.Item,
    { name, noStyle: true },
    h(Select, {
      ...{ mode: 'multiple', allowClear: true, 'aria-label': label, style: { width: '100%' } },
      placeholder: t(none),
      options: roles.map((role) => ({
        value: role.name,
        label: t(textIn(role.title ?? role.name)),
      })),
    }),
  );

/**
 * The inputs for who may run an action: with any values, or only through buttons as an administrator configured them.
 */
function rightItems(props: ItemProps): ReactNode[] {
  const { t } = props;
  const column = (path: string, title: string, label: string, none: string) => ({
    ...{ key: path, title: t(title), width: '36%' },
    render: (_: unknown, { id, name }: (typeof actions)[number]) =>
      roleItem(props, [path, id], t(label, { name: t(name) }), none),
  });
  const columns = [
    { key: 'name', dataIndex: 'name', title: t('Action'), render: (name: string) => t(name) },
    column('roles', 'Roles that may use it', 'Roles that may use “{{name}}”', 'Root only'),
    column(
      'buttonRoles',
      'Roles that may only use buttons',
      'Roles that may only use buttons of “{{name}}”',
      'None',
    ),
  ];
  const help = t(
    'Roles that may only use buttons can use them as configured, for records that they may read. They can only fill in fields that a button leaves empty.',
  );
  const table = { dataSource: actions, rowKey: 'id', columns, pagination: false, size: 'small' };
  return [
    h(Table, { key: 'table', ...table, scroll: { x: 480 } }),
    h(Typography.Paragraph, { key: 'help', type: 'secondary', style: { marginTop: 8 } }, help),
  ];
}

/** The inputs of an account's form. Rarely needed settings and rights are collapsed. */
export function accountItems(props: ItemProps): ReactNode[] {
  const { t, account } = props;
  const folded = (key: string, label: string, children: ReactNode[]) => ({
    ...{ key, label: t(label), forceRender: true, children },
  });
  return [
    h(Form.Item, { key: 'label', name: 'label', label: t('Name') }, h(Input)),
    ...settingItems(props, false),
    h(
      Form.Item,
      {
        key: 'defaultSender',
        name: 'defaultSender',
        label: t('Default sender'),
        extra: t('Used when an action has no sender.'),
      },
      h(ChoiceInput, { t, load: props.senders, placeholder: '+14155550100' }),
    ),
    reachedNews(t, account),
    account.eventProblem &&
      h(Alert, {
        ...{ key: 'eventProblem', type: 'error', message: account.eventProblem },
        style: { marginBottom: 16 },
      }),
    h(Collapse, {
      key: 'folded',
      ...{ ghost: true, style: { marginBottom: 16 } },
      items: [
        folded('events', 'Events', eventItems(t, account, props.numbers)),
        folded('advanced', 'Advanced', settingItems(props, true)),
        folded('limits', 'Limits', limitItems(t, account)),
        folded('rights', 'Permissions', rightItems(props)),
      ],
    }),
  ];
}
