import { sayIn, smsCount, smsSegments } from '../../../../src/builder.ts';
import { h, type Translate } from '../host.ts';

interface Props {
  /** The input component. */
  control: unknown;
  t: Translate;
  id?: string;
  value?: unknown;
}

const variables = /\{\{.*?\}\}/gs;

function countText(t: Translate, typed: string): string {
  const fixed = typed.replaceAll(variables, '');
  const values = smsSegments(fixed);
  return fixed === typed
    ? sayIn(t)(smsCount(values))
    : t('{{segments}} SMS ({{alphabet}}), plus the text of the variables', values);
}

/** A text area for an SMS. Counts the segments while the user types. */
export function SmsText({ control, t, ...props }: Props) {
  const { id = '', value } = props;
  const count = `${id}-count`;
  return h(
    'div',
    null,
    h(control, { ...props, 'aria-describedby': count }),
    h('div', { id: count, style: { opacity: 0.65 } }, countText(t, String(value ?? ''))),
  );
}
