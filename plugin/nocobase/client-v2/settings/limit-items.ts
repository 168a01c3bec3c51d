import { Alert, Form, Input, InputNumber, Switch } from 'antd';
import {
  definitions,
  reachedSentences,
  type Sentence,
  sayIn,
  type Usage,
  usageSentence,
} from '../../../../src/builder.ts';
import { h, type ReactNode, type Translate } from '../host.ts';
import { timeText } from '../time-text.ts';
import type { StoredAccount } from './stored-account.ts';

const { limits } = definitions.settings;

/** The keys of the limits. */
export const limitKeys: string[] = limits.map(({ key }) => key);

const inputs = {
  switch: (_: string) => h(Switch),
  integer: (placeholder: string) => h(InputNumber, { placeholder, style: { width: '100%' } }),
  countries: (placeholder: string) => h(Input, { placeholder, autoComplete: 'off' }),
  hours: (placeholder: string) => h(Input, { placeholder, autoComplete: 'off' }),
};

function news(
  t: Translate,
  { usage }: StoredAccount,
  type: 'info' | 'warning',
  textsOf: (usage: Usage) => Sentence[],
): ReactNode {
  if (!usage) return null;
  // JSON has no dates.
  const reached = usage.reached.map((one) => ({ ...one, until: new Date(one.until) }));
  const say = sayIn(t, (time) => timeText(time.toISOString()));
  const message = textsOf({ ...usage, reached })
    .map(say)
    .join(' ');
  return message && h(Alert, { key: 'usage', type, message, style: { marginBottom: 16 } });
}

/** Says which limits an account has reached. */
export const reachedNews = (t: Translate, account: StoredAccount): ReactNode =>
  news(t, account, 'warning', reachedSentences);

/** The inputs of the limits, and how much was sent. Their defaults are placeholders: a value in a field is one that someone set. */
export const limitItems = (t: Translate, account: StoredAccount): ReactNode[] => [
  news(t, account, 'info', (usage) => [usageSentence(usage)]),
  ...limits.map(({ key, type, label, help, placeholder, default: usual }) =>
    h(
      Form.Item,
      {
        ...{ key, name: key, label: t(label), extra: t(help) },
        ...(type === 'switch' && { valuePropName: 'checked' }),
        // An input with bounds would turn -5 into 1 without a word.
        ...(type === 'integer' && {
          rules: [{ type: 'integer', min: 1, message: t('Enter a whole number from 1.') }],
        }),
      },
      inputs[type](placeholder ?? String(usual ?? '')),
    ),
  ),
];
