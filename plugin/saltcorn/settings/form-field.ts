import { input } from '@saltcorn/markup/tags';
import { type Field, fieldTypes, type SettingsField } from '../../../src/builder.ts';
import { saltcornTypes } from '../saltcorn-types.ts';
import { translated } from '../translated.ts';

/** A field of a Saltcorn form or of an action's configuration. */
export interface FormField {
  name: string;
  label: string;
  sublabel: string | undefined;
  type?: string | object;
  input_type?: 'select' | 'textarea';
  options?: ({ value: string; label: string } | string)[];
  required: boolean;
  default?: string | number | boolean;
  attributes: Record<string, unknown>;
  /** Returns true or, if a value must not be saved, why. */
  validator?: (typed: unknown) => string | true;
  /** The section that contains the field. */
  tab?: string | undefined;
}

// Every built-in password field of Saltcorn writes the stored value into the page. This one never contains a value.
export const secretType = {
  name: 'Secret',
  sql_name: 'text',
  read: (value: unknown) => (typeof value === 'string' ? value : undefined),
  fieldviews: {
    edit: {
      isEdit: true,
      run: (name: string, _value: unknown, attributes: Record<string, unknown>, cssClass: string) =>
        input({
          type: 'password',
          class: ['form-control', cssClass],
          'data-fieldname': name,
          name,
          id: `input${name}`,
          placeholder: attributes.placeholder,
          autocomplete: 'new-password',
        }),
    },
  },
};

/**
 * Converts a field to Saltcorn's format.
 *
 * @param field a field of an operation or of the settings
 * @param overrides properties that differ in this form
 */
export function formField(
  field: Field | SettingsField,
  overrides: Partial<FormField> = {},
): FormField {
  const { key, label, help, type, required, placeholder } = field;
  const { options, minimum, maximum, multiline } = field as Partial<Field>;
  const isOptional = !required && field.default === undefined;
  const range = fieldTypes[type].holds === 'integer' ? { min: minimum, max: maximum } : {};
  return {
    name: key,
    label: translated(label),
    sublabel: help && translated(help),
    ...(multiline
      ? { input_type: 'textarea' as const }
      : { type: fieldTypes[type].isSecret ? secretType : saltcornTypes[fieldTypes[type].holds] }),
    required: required === true && field.default === undefined,
    ...(field.default !== undefined && { default: field.default }),
    // Without a default, Saltcorn's builder stores the first option.
    ...(options && isOptional && { default: '' }),
    attributes: { placeholder, ...(options && { options }), ...range },
    ...overrides,
  };
}
