import type { Action } from '../../../src/index.ts';
import { type FormField, formField } from '../settings/form-field.ts';

/** The fields of an action, as Saltcorn's builder asks for them. */
export const actionFields = ({ fields }: Action): FormField[] =>
  fields.map((field) =>
    field.purpose === 'sender'
      ? formField(field, {
          required: false,
          sublabel:
            `${field.help ?? ''} When empty, the default sender in the settings of the module.`.trim(),
        })
      : formField(field),
  );
