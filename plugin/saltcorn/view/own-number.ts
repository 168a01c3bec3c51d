import { genericElement, input, text_attr } from '@saltcorn/markup/tags';
import { operations } from '../../../src/builder.ts';
import { choicesUrl } from '../choices/choices-route.ts';
import { choicesAttribute, choicesScript } from '../choices/choices-script.ts';
import { translated } from '../translated.ts';

const any = 'any';

/** The fields with choices, with a label for users. */
const offering = () =>
  operations.flatMap(({ id, name, fields }) =>
    fields
      .filter(({ choices }) => choices)
      .map(({ key, label }) => ({
        value: `${id}/${key}`,
        label: `${name}: ${translated(label)}`,
      })),
  );

/** A phone number input that lists the account's own numbers to users who may run actions. */
export const ownNumber = {
  type: 'String',
  isEdit: true,
  blockDisplay: true,
  description: "A phone number, with a list of the account's own numbers",
  configFields: () => [
    {
      ...{ name: 'offers', label: translated('Numbers for'), input_type: 'select', default: any },
      options: [{ value: any, label: translated('Any action') }, ...offering()],
    },
    { name: 'placeholder', label: translated('Placeholder'), type: 'String' },
  ],
  run: (
    name: string,
    value: unknown,
    attributes: Record<string, unknown>,
    cssClass: string,
    required: boolean,
    field: { name: string },
  ) => {
    const id = `input${text_attr(name)}`;
    const [operation, key] = String(attributes.offers ?? any).split('/');
    const element = input({
      ...{ type: 'text', id, name: text_attr(name), 'data-fieldname': text_attr(field.name) },
      ...{ class: ['form-control', cssClass], required, value: text_attr(value ?? '') },
      placeholder: text_attr(attributes.placeholder ?? ''),
      ...{ disabled: attributes.disabled, readonly: attributes.readonly },
      onChange: attributes.onChange,
      [choicesAttribute]: text_attr(choicesUrl(key && operation, key)),
    });
    const hint = genericElement('div', { id: `${id}-choices`, class: 'small', role: 'status' }, '');
    return element + hint + genericElement('script', {}, choicesScript);
  },
};
