import { definitions, type LimitField, sentence } from '../../../src/builder.ts';
import { say, translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

const types: Partial<Record<LimitField['type'], string>> = { switch: 'Bool', integer: 'Integer' };

const inputOf = ({ type, options }: LimitField): Partial<FormField> =>
  options
    ? {
        input_type: 'select',
        options: options.map(({ value, label }) => ({ value, label: translated(label) })),
      }
    : { type: types[type] ?? 'String' };

/** What applies without a value. Saltcorn's number fields have no placeholders. */
const ifEmpty = (usual: number | undefined) =>
  usual === undefined ? '' : say(sentence('{count} if empty.', { count: usual }));

/**
 * The limits on what is sent. Their defaults aren't values of their fields: a value in the field is one that someone set.
 *
 * @param news how much was sent, as HTML
 */
export const limitFields = (news: string): FormField[] =>
  definitions.settings.limits.map((limit, index) => {
    const { key, type, label, help, placeholder, default: usual } = limit;
    return {
      name: key,
      label: translated(label),
      sublabel: [translated(help), ifEmpty(usual), index === 0 ? news : '']
        .filter(Boolean)
        .join(' '),
      ...inputOf(limit),
      required: false,
      attributes: {
        placeholder,
        ...(type === 'integer' && { min: 1 }),
      },
    };
  });
