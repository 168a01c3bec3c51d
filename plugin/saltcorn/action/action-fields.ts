import type { Action } from '../../../src/builder.ts';
import { choicesUrl } from '../choices/choices-route.ts';
import { choicesMark } from '../choices/choices-script.ts';
import { type FormField, formField } from '../settings/form-field.ts';

/** The fields of an action, as Saltcorn's builder asks for them. */
export const actionFields = ({ id, fields }: Action): FormField[] =>
  fields.map((field) => {
    const isSender = field.purpose === 'sender';
    const empty = isSender ? "Defaults to the sender in the module's settings." : '';
    const choices = field.choices ? choicesMark(choicesUrl(id, field.key)) : '';
    return formField(field, {
      ...(isSender && { required: false }),
      sublabel: [field.help, empty, choices].filter(Boolean).join(' '),
    });
  });
