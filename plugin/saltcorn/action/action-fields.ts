import Table, { type SaltcornField } from '@saltcorn/data/models/table';
import { type Action, fieldTypes, recipientField, sidColumn } from '../../../src/builder.ts';
import type { Configuration } from '../account/account.ts';
import { choicesUrl } from '../choices/choices-route.ts';
import { choicesMark } from '../choices/choices-script.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import { type FormField, formField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import { checkTyped } from './action-input.ts';
import { onSave } from './on-save.ts';

/** What Saltcorn's builder passes: the table of the view with the action, if there is one. */
export interface FieldsOf {
  table?: { provider_name?: string | null; fields?: SaltcornField[] } | null | undefined;
  /** Where the action is used, such as `workflow`. */
  mode?: string;
}

type ActionField = Action['fields'][number];

const isSender = ({ purpose }: ActionField) => purpose === 'sender';

/** The names of columns with texts. */
const textColumns = (columns: SaltcornField[]): string[] =>
  columns
    .filter(({ type }) => typeof type === 'object' && type.name === 'String')
    .map(({ name }) => name);

const phoneIn = (texts: string[]) => texts.find((name) => /phone|mobile|^tel(_|$)/i.test(name));

/** The first column of phone numbers of a table or, if it has none, of one that it refers to, such as `patient.phone`. */
const phoneColumn = (columns: SaltcornField[]): string | undefined =>
  phoneIn(textColumns(columns)) ??
  columns.flatMap(({ name, reftable_name }) => {
    const other = reftable_name ? Table.findOne({ name: reftable_name }) : undefined;
    const phone = phoneIn(textColumns(other?.fields ?? []));
    return phone === undefined ? [] : [`${name}.${phone}`];
  })[0];

/**
 * The columns of the user's own table that the fields of an action start with. If a row has a text for every required field, it
 * describes what to send, such as `to` and `body`. Otherwise, only the recipient starts with a column of phone numbers: the
 * `body` of a message that someone received is not what to send.
 */
function ownColumns(action: Action, columns: SaltcornField[] = []): Map<ActionField, string> {
  const texts = textColumns(columns);
  const required = action.fields.filter((field) => field.required && !isSender(field));
  if (required.every(({ key }) => texts.includes(key)))
    return new Map(required.map((field) => [field, field.key]));
  const recipient = recipientField(action);
  const phone = phoneColumn(columns);
  return new Map(recipient && phone ? [[recipient, phone]] : []);
}

/** The form of a trigger doesn't show the action's description, which says the same. */
const rowHelp = () =>
  translated("{{placeholder}} inserts the row's value of that name.", {
    placeholder: '<code>{{ name }}</code>',
  });

const senderHelp = (isNeeded: boolean) =>
  isNeeded
    ? translated("Required, unless the module's settings have a default sender.")
    : translated("Defaults to the sender in the module's settings.");

/**
 * The fields of an action in Saltcorn's builder. In a view of the service's records, SIDs start with those of the row; in
 * a view of the user's own table, fields start with its columns.
 *
 * @param settings the stored settings, which may have a default sender
 */
export const actionFields = (
  action: Action,
  settings: Configuration,
  { table }: FieldsOf = {},
): FormField[] => {
  const { id, fields } = action;
  const source = dataSourceOf(table?.provider_name);
  const own = source ? new Map<ActionField, string>() : ownColumns(action, table?.fields);
  return fields.map((field) => {
    const column = source ? field.required && sidColumn(field, source) : own.get(field);
    const hasDefault = isSender(field) && settings.defaultSender?.trim();
    const isNeeded = field.required === true && !hasDefault;
    const empty = isSender(field) && senderHelp(isNeeded);
    const choices = field.choices ? choicesMark(choicesUrl(id, field.key)) : '';
    return formField(field, {
      ...onSave((typed) => checkTyped(action, field, settings, typed)),
      // Saltcorn's builder has no input for dates, and a date picker would take no placeholder.
      ...(fieldTypes[field.type].holds === 'date' && { type: 'String' }),
      ...(isSender(field) && { required: isNeeded }),
      ...(column && { default: `{{ ${column} }}` }),
      sublabel: [field.help && translated(field.help), empty, field.multiline && rowHelp(), choices]
        .filter(Boolean)
        .join(' '),
    });
  });
};
