import { AutoComplete } from 'antd';
import { useState } from 'react';
import { h, type Translate } from '../host.ts';
import { choiceLabel, type LoadChoices, useChoices } from './use-choices.ts';

interface Props {
  t: Translate;
  load: LoadChoices;
  id?: string;
}

interface Option {
  label: string;
}

const fits = (typed: string, { label }: Option) =>
  label.toLowerCase().includes(typed.toLowerCase());

/** An input that offers choices and accepts any other text. */
export function ChoiceInput({ t, load, ...props }: Props) {
  const { choices, hint, open } = useChoices(t, load);
  // A value that was there before the user types must not filter the list.
  const [isTyping, setTyping] = useState(false);
  return h(
    'div',
    null,
    h(AutoComplete, {
      ...{ ...props, allowClear: true, filterOption: isTyping && fits },
      onSearch: () => setTyping(true),
      onFocus: () => {
        setTyping(false);
        open();
      },
      // Enter accepts the typed text.
      defaultActiveFirstOption: false,
      options: choices.map((one) => ({ value: one.value, label: choiceLabel(one) })),
    }),
    h('div', { role: 'status', style: { opacity: 0.65 } }, hint),
  );
}
