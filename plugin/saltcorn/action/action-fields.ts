import type { Action } from '../../../src/builder.ts';
import { type FormField, formField } from '../settings/form-field.ts';

/** The fields of an action, as Saltcorn's builder asks for them. */
export const actionFields = ({ fields }: Action): FormField[] =>
  fields.map((field) =>
    field.purpose === 'sender'
      ? formField(field, {
          required: false,
          sublabel: `${field.help ?? ''} Defaults to the sender in the module's settings.`.trim(),
        })
      : formField(field),
  );
