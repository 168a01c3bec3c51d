import { type Action, fieldTypes, sidColumn } from '../../../src/builder.ts';
import { choicesUrl } from '../choices/choices-route.ts';
import { choicesMark } from '../choices/choices-script.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import { type FormField, formField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';

/** What Saltcorn's builder passes: the table of the view with the action, if there is one. */
export interface FieldsOf {
  table?: { provider_name?: string | null } | null | undefined;
}

/**
 * The fields of an action in Saltcorn's builder. In a view of the service's records, SIDs start with those of the row.
 */
export const actionFields = ({ id, fields }: Action, { table }: FieldsOf = {}): FormField[] => {
  const source = dataSourceOf(table?.provider_name);
  return fields.map((field) => {
    const column = source && field.required && sidColumn(field, source);
    const isSender = field.purpose === 'sender';
    const empty = isSender && translated("Defaults to the sender in the module's settings.");
    const choices = field.choices ? choicesMark(choicesUrl(id, field.key)) : '';
    return formField(field, {
      // Saltcorn's builder has no input for dates, and a date picker would take no placeholder.
      ...(fieldTypes[field.type].holds === 'date' && { type: 'String' }),
      ...(isSender && { required: false }),
      ...(column && { default: `{{ ${column} }}` }),
      sublabel: [field.help && translated(field.help), empty, choices].filter(Boolean).join(' '),
    });
  });
};
