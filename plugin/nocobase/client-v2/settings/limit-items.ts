import { Alert, Form, Input, InputNumber, Select, Switch } from 'antd';
import {
  definitions,
  type LimitField,
  reachedSentences,
  type Sentence,
  sayIn,
  type Usage,
  usageSentence,
} from '../../../../src/builder.ts';
import { h, type ReactNode, type Translate } from '../host.ts';
import { timeText } from '../time-text.ts';
import type { StoredAccount } from './stored-account.ts';

const limits: readonly LimitField[] = definitions.settings.limits;

/** The keys of the limits. */
export const limitKeys: string[] = limits.map(({ key }) => key);

/** The input of a limit. Its default is a placeholder: a value in the field is one that someone set. */
function inputOf(t: Translate, limit: LimitField): ReactNode {
  const { type, options = [] } = limit;
  const placeholder = limit.placeholder ?? String(limit.default ?? '');
  if (type === 'switch') return h(Switch);
  if (type === 'integer') return h(InputNumber, { placeholder, style: { width: '100%' } });
  if (type !== 'choice') return h(Input, { placeholder, autoComplete: 'off' });
  const choices = options.map(({ value, label }) => ({ value, label: t(label) }));
  return h(Select, { options: choices, placeholder: choices[0]?.label });
}

function news(
  t: Translate,
  { usage }: StoredAccount,
  type: 'info' | 'warning',
  textsOf: (usage: Usage) => Sentence[],
): ReactNode {
  if (!usage) return null;
  const say = sayIn(t, (time) => timeText(time.toISOString()));
  const message = textsOf(usage).map(say).join(' ');
  return message && h(Alert, { key: 'usage', type, message, style: { marginBottom: 16 } });
}

/** Says which limits an account has reached. */
export const reachedNews = (t: Translate, account: StoredAccount): ReactNode =>
  news(t, account, 'warning', reachedSentences);

/** The inputs of the limits, and how much was sent. */
export const limitItems = (t: Translate, account: StoredAccount): ReactNode[] => [
  news(t, account, 'info', (usage) => [usageSentence(usage)]),
  ...limits.map((limit) => {
    const { key, type, label, help } = limit;
    return h(
      Form.Item,
      {
        ...{ key, name: key, label: t(label), extra: t(help) },
        ...(type === 'switch' && { valuePropName: 'checked' }),
        // An input with bounds would turn -5 into 1 without a word.
        ...(type === 'integer' && {
          rules: [{ type: 'integer', min: 1, message: t('Enter a whole number from 1.') }],
        }),
      },
      inputOf(t, limit),
    );
  }),
];
