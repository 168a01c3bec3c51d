import { definitions } from '../../../src/builder.ts';
import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

const types = { switch: 'Bool', integer: 'Integer', countries: 'String', hours: 'String' } as const;

/**
 * The limits on what is sent. Their defaults are placeholders: a value in the field is one that someone set.
 *
 * @param news how much was sent, as HTML
 */
export const limitFields = (news: string): FormField[] =>
  definitions.settings.limits.map(
    ({ key, type, label, help, placeholder, default: usual }, index) => ({
      name: key,
      label: translated(label),
      sublabel: `${translated(help)} ${index === 0 ? news : ''}`.trim(),
      type: types[type],
      required: false,
      attributes: {
        placeholder: placeholder ?? (usual && String(usual)),
        ...(type === 'integer' && { min: 1 }),
      },
    }),
  );
