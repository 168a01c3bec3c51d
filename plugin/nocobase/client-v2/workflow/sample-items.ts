import { AutoComplete, DatePicker, Form, Input, InputNumber } from 'antd';
import { type EventDefinition, fieldTypes, recordShape } from '../../../../src/builder.ts';
import { datesAsTexts } from '../action/field-item.ts';
import { h, type ReactNode, type Translate } from '../host.ts';

type RecordField = ReturnType<typeof recordShape>['fields'][number];

const wide = { style: { width: '100%' } };

/** The input of a record's field. A choice is open, as the service may send others. */
function control({ type, options }: RecordField) {
  const { holds } = fieldTypes[type];
  if (options)
    return h(AutoComplete, { options: options.map((value) => ({ value })), allowClear: true });
  if (holds === 'date') return h(DatePicker, { showTime: true, ...wide });
  if (holds === 'integer') return h(InputNumber, { precision: 0, ...wide });
  if (holds === 'number') return h(InputNumber, wide);
  return type === 'text'
    ? h(Input.TextArea, { autoSize: { minRows: 1, maxRows: 12 } })
    : h(Input, { autoComplete: 'off' });
}

/**
 * The form of a sample event, filled in: the fields of the record that the event's parameters fill. The server part
 * sets the account and the dates of receipt.
 */
export function sampleItems(t: Translate, event: EventDefinition): ReactNode[] {
  const { id, parameters, identifiedBy, media, when, result } = event;
  const sample = sampleEvents[id] ?? {};
  const parameterOf = (key: string) =>
    parameters.find((one) => one.key === key && one.purpose === undefined);
  return recordShape(result.of).fields.flatMap((field) => {
    const { key, label, type, technical } = field;
    const parameter = parameterOf(key);
    // A sample has no files.
    if (!parameter || key === media?.listedBy?.if) return [];
    const oneOf = when?.find(({ name }) => name === parameter.name)?.oneOf;
    const isDate = fieldTypes[type].holds === 'date';
    return h(
      Form.Item,
      {
        ...{ key, name: ['data', key], label: t(label), initialValue: sample[key] ?? undefined },
        rules: [{ required: identifiedBy.includes(key), message: t('This field is required.') }],
        hidden: technical === true,
        ...(isDate && datesAsTexts),
      },
      control(oneOf ? { ...field, options: oneOf } : field),
    );
  });
}
