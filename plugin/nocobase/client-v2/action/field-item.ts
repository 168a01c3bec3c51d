import { ConfigProvider, DatePicker, Form, Input, InputNumber, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { type Field, fieldTypes, isSmsText } from '../../../../src/builder.ts';
import { ChoiceInput } from '../choices/choice-input.ts';
import type { LoadChoices } from '../choices/use-choices.ts';
import { h, type Translate } from '../host.ts';
import { SmsText } from './sms-text.ts';
import type { FormField } from './usable.ts';

const autoSize = { minRows: 3, maxRows: 12 };
const wide = { style: { width: '100%' } };

/** The input component of a field. */
function control(t: Translate, field: Field, load: LoadChoices) {
  const { type, options, minimum, maximum, multiline, placeholder } = field;
  const { holds } = fieldTypes[type];
  const typed = { placeholder, autoComplete: 'off' };
  if (options) {
    const choices = options.map((value) => ({ value, label: value }));
    return h(Select, { options: choices, allowClear: true });
  }
  if (holds === 'date') return h(DatePicker, { showTime: true, ...wide });
  if (holds === 'integer')
    return h(InputNumber, { min: minimum, max: maximum, precision: 0, ...wide });
  if (isSmsText(field)) return h(SmsText, { control: Input.TextArea, t, autoSize, ...typed });
  if (field.choices) return h(ChoiceInput, { t, load, placeholder });
  return multiline ? h(Input.TextArea, { autoSize, ...typed }) : h(Input, typed);
}

/** The form stores dates as text; the picker shows the user's time zone. */
export const datesAsTexts = {
  getValueProps: (value: unknown) => {
    const text = fieldTypes.date.clean(value);
    return { value: typeof text === 'string' ? dayjs(text) : null };
  },
  getValueFromEvent: (chosen: Dayjs | null) => chosen?.toISOString(),
};

function helpOf(t: Translate, { help = '' }: Field, isDate: boolean): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [help && t(help), isDate && t('Here, dates are in your time zone, {{zone}}.', { zone })]
    .filter(Boolean)
    .join(' ');
}

/** A variable, as the settings of a button have it. */
const variable = /\{\{\s*(ctx\b|\$)/;

/** Refuses variables: what someone enters here is sent as it is. */
const withoutVariables = (t: Translate) => ({
  validator: async (_: unknown, value: unknown) => {
    if (typeof value === 'string' && variable.test(value))
      throw new Error(
        t("Variables work only in the button's settings. Enter here what is to be sent."),
      );
  },
});

/**
 * The form item of an action's field.
 *
 * @param load loads the field's choices
 */
export function fieldItem(t: Translate, field: FormField, load: LoadChoices) {
  const { key, label, type, required, isFixed } = field;
  const isDate = fieldTypes[type].holds === 'date';
  const item = h(
    Form.Item,
    {
      ...{ name: key, label: t(label), extra: helpOf(t, field, isDate) },
      rules: [{ required, message: t('This field is required.') }, withoutVariables(t)],
      ...(isDate && datesAsTexts),
    },
    control(t, field, load),
  );
  return h(ConfigProvider, { key, componentDisabled: isFixed }, item);
}
