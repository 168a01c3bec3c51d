import type { SaltcornField } from '@saltcorn/data/models/table';
import { type Action, fieldTypes, recipientField, sidColumn } from '../../../src/builder.ts';
import { choicesUrl } from '../choices/choices-route.ts';
import { choicesMark } from '../choices/choices-script.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import { type FormField, formField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';

/** What Saltcorn's builder passes: the table of the view with the action, if there is one. */
export interface FieldsOf {
  table?: { provider_name?: string | null; fields?: SaltcornField[] } | null | undefined;
}

/** The column of the user's own table that probably contains phone numbers. */
const phoneColumn = (fields: SaltcornField[] = []): string | undefined =>
  fields.find(
    ({ name, type }) =>
      typeof type === 'object' && type.name === 'String' && /phone|mobile|^tel(_|$)/i.test(name),
  )?.name;

/**
 * The fields of an action in Saltcorn's builder. In a view of the service's records, SIDs start with those of the row; in
 * a view of the user's own table, the recipient starts with its phone number.
 */
export const actionFields = (action: Action, { table }: FieldsOf = {}): FormField[] => {
  const { id, fields } = action;
  const source = dataSourceOf(table?.provider_name);
  const recipient = recipientField(action);
  return fields.map((field) => {
    const column = source
      ? field.required && sidColumn(field, source)
      : field === recipient && phoneColumn(table?.fields);
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
