import { Button, Dropdown } from 'antd';
import { h, type Translate } from '../host.ts';
import { choiceLabel, type LoadChoices, useChoices } from './use-choices.ts';

interface Props {
  /** The input component for text with variables. */
  control: unknown;
  t: Translate;
  load: LoadChoices;
  onChange?(value: string): void;
}

/** An input for text with variables, and a button that offers choices. */
export function ChoicePicker({ control, t, load, ...props }: Props) {
  const { choices, hint, open } = useChoices(t, load);
  const menu = {
    items: choices.map((one) => ({ key: one.value, label: choiceLabel(one) })),
    onClick: ({ key }: { key: string }) => props.onChange?.(key),
    style: { maxHeight: 240, overflowY: 'auto', whiteSpace: 'nowrap' },
  };
  const onOpenChange = (isOpen: boolean) => {
    if (isOpen) void open();
  };
  return h(
    'div',
    null,
    h(
      'div',
      { style: { display: 'flex', gap: 8 } },
      h('div', { style: { flex: 1, minWidth: 0 } }, h(control, props)),
      h(
        Dropdown,
        { menu, trigger: ['click'], placement: 'bottomRight', onOpenChange },
        h(Button, null, t('Choose')),
      ),
    ),
    h('div', { role: 'status', style: { opacity: 0.65 } }, hint),
  );
}
