import { Form, Select } from 'antd';
import { accountChoices } from '../accounts.ts';
import { type Host, h, type ReactNode, translator } from '../host.ts';

/** The account input of a node, a trigger or, with another path in its form, a notification channel. */
export async function accountItem(host: Host, name = ['config', 'account']): Promise<ReactNode> {
  const t = translator(host);
  const options = await accountChoices(host);
  return h(
    Form.Item,
    {
      key: 'account',
      name,
      label: t('Account'),
      extra: t('Optional if there is only one account.'),
      rules: [{ required: options.length > 1, message: t('This field is required.') }],
    },
    h(Select, { options, allowClear: true }),
  );
}
