import { Form, Select } from 'antd';
import { accountChoices } from '../accounts.ts';
import { type Host, h, type ReactNode, translator } from '../host.ts';

/** The account input of a node or a trigger. */
export async function accountItem(host: Host): Promise<ReactNode> {
  const t = translator(host);
  const options = await accountChoices(host);
  return h(
    Form.Item,
    {
      key: 'account',
      name: ['config', 'account'],
      label: t('Account'),
      extra: t('Optional if there is only one account.'),
    },
    h(Select, { options, allowClear: true }),
  );
}
