import { definitions, type LimitField } from '../../../src/builder.ts';
import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

const types: Partial<Record<LimitField['type'], string>> = { switch: 'Bool', integer: 'Integer' };

const inputOf = ({ type, options }: LimitField): Partial<FormField> =>
  options
    ? {
        input_type: 'select',
        options: options.map(({ value, label }) => ({ value, label: translated(label) })),
      }
    : { type: types[type] ?? 'String' };

/**
 * The limits on what is sent. Their defaults are placeholders: a value in the field is one that someone set.
 *
 * @param news how much was sent, as HTML
 */
export const limitFields = (news: string): FormField[] =>
  definitions.settings.limits.map((limit, index) => {
    const { key, type, label, help, placeholder, default: usual } = limit;
    return {
      name: key,
      label: translated(label),
      sublabel: `${translated(help)} ${index === 0 ? news : ''}`.trim(),
      ...inputOf(limit),
      required: false,
      attributes: {
        placeholder: placeholder ?? (usual && String(usual)),
        ...(type === 'integer' && { min: 1 }),
      },
    };
  });
