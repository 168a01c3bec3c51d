import { Form, Input } from 'antd';
import { channelType, codeMark, textActions } from '../../channel-types.ts';
import { type Host, h, type ReactNode, translator } from '../host.ts';
import { accountItem } from '../workflow/account-item.ts';

interface Verification {
  smsOTPProviderManager?: { registerProvider(type: string, options: object): void };
}

/** The settings of a provider: its account, its sender and its text. */
async function settingsOf(host: Host, { text, sender }: (typeof textActions)[number]) {
  const t = translator(host);
  const path = ['options', 'settings'];
  const account = await accountItem(host, [...path, 'account']);
  const item = (key: string, label: string, extra: string, control: ReactNode, rules: object[]) =>
    h(Form.Item, { key, name: [...path, 'input', key], label: t(label), extra, rules }, control);
  const mark = {
    pattern: new RegExp(codeMark),
    message: t('Enter {code} where the code belongs.'),
  };
  const items = [
    account,
    sender &&
      item(sender.key, sender.label, t(sender.help ?? ''), h(Input, { autoComplete: 'off' }), []),
    item(
      text.key,
      text.label,
      t('Contains {code}, where the code belongs.'),
      h(Input.TextArea, { rows: 2, placeholder: t('Your code is {code}.') }),
      [mark],
    ),
  ];
  return () => h('div', null, items);
}

/** Offers the actions that send a text as providers of one-time codes, if NocoBase's verification plugin is enabled. */
export function registerCodeProviders(host: Host): void {
  const verification = host.pm.get('verification') as Verification | undefined;
  for (const one of textActions)
    verification?.smsOTPProviderManager?.registerProvider(channelType(one.action), {
      components: {
        AdminSettingsFormLoader: async () => ({ default: await settingsOf(host, one) }),
      },
    });
}
