import { input } from '@saltcorn/markup/tags';
import { type Field, fieldTypes, type SettingsField } from '../../../src/builder.ts';
import { saltcornTypes } from '../saltcorn-types.ts';
import { translated } from '../translated.ts';

/** A field of a Saltcorn form, and of an action's configuration. */
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
  /** The heading that it is folded away under. */
  tab?: string | undefined;
}

// Saltcorn writes the stored value of every built-in kind of password field into the page. This one has no
// place for a value at all.
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
 * A field as Saltcorn's forms take it.
 *
 * @param field a field of an operation or of the settings
 * @param overrides what this form needs otherwise
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
