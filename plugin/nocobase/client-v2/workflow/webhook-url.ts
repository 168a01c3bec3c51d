import { Form, Typography } from 'antd';
import { definitions } from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import { type Host, h, type ReactNode, request, translator } from '../host.ts';
import type { StoredAccount } from '../settings/stored-account.ts';

interface Props {
  host: Host;
  accounts: StoredAccount[];
}

/** The webhook URL of the account in a trigger's form, or where to find it. */
function WebhookUrl({ host, accounts }: Props) {
  const t = translator(host);
  const chosen = Form.useWatch(['config', 'account']);
  const [only] = accounts.length === 1 ? accounts : [];
  const { eventAddress } = accounts.find(({ key }) => key === chosen) ?? (chosen ? {} : only) ?? {};
  if (!eventAddress)
    return h(
      'p',
      null,
      t('Find the webhook URL in the {{name}} settings, under “Events”.', {
        name: t(definitions.manifest.name),
      }),
    );
  return h(
    'p',
    null,
    `${t('Webhook URL:')} `,
    h(Typography.Text, { code: true, copyable: true }, eventAddress),
  );
}

/** Shows an account's webhook URL to users who may read accounts. */
export async function webhookUrl(host: Host): Promise<ReactNode> {
  const all = request<StoredAccount[]>(host, `${accountsResource}:list`);
  return h(WebhookUrl, { key: 'webhook', host, accounts: await all.catch(() => []) });
}
