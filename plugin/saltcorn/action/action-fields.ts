import type { Action } from '../../../src/builder.ts';
import { choicesUrl } from '../choices/choices-route.ts';
import { choicesMark } from '../choices/choices-script.ts';
import { type FormField, formField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';

/** The fields of an action in Saltcorn's builder. */
export const actionFields = ({ id, fields }: Action): FormField[] =>
  fields.map((field) => {
    const isSender = field.purpose === 'sender';
    const empty = isSender && translated("Defaults to the sender in the module's settings.");
    const choices = field.choices ? choicesMark(choicesUrl(id, field.key)) : '';
    return formField(field, {
      ...(isSender && { required: false }),
      sublabel: [field.help && translated(field.help), empty, choices].filter(Boolean).join(' '),
    });
  });
