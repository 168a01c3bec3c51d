import { getState } from '@saltcorn/data/db/state';
import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import type { Row } from '../where/where.ts';
import type { NoteColumns } from './row-notes.ts';

/** The column by which someone chose to show a row in the key fields of other tables. Those of provided tables choose it themselves. */
function summaryColumn({ name }: SaltcornTable): string | undefined {
  const own = getState().tables.filter(({ provider_name }) => !provider_name);
  const keys = own
    .flatMap(({ fields = [] }) => fields)
    .filter(({ reftable_name }) => reftable_name === name);
  return keys.map(({ attributes }) => attributes?.summary_field).find((column) => column);
}

/** Whether a column holds any text, and not one of a list, such as a status. */
const isFreeText = ({ type, attributes }: SaltcornField) =>
  typeof type !== 'string' && type.name === 'String' && !attributes?.options;

/** The columns that name a row, the best first. Saltcorn sorts columns by their names, so that the first text can be anything. */
function nameColumns(table: SaltcornTable, notes: NoteColumns | undefined): string[] {
  const others = [table.pk_name, notes?.outcome, notes?.sid];
  const texts = table.fields
    .filter((field) => isFreeText(field) && !others.includes(field.name))
    .map(({ name }) => name);
  const matching = (pattern: RegExp) => texts.filter((name) => pattern.test(name));
  const summary = summaryColumn(table);
  return [
    ...matching(/^(full_?)?name$/i),
    ...matching(/^title$/i),
    ...texts.filter((name) => name === summary),
    ...matching(/name$/i),
    ...matching(/e_?mail/i),
  ];
}

const isText = (value: unknown): value is string => typeof value === 'string' && /\S/.test(value);

const isNumber = (text: string) => /^[+\d\s().-]+$/.test(text);

/**
 * The name of a row for people: its name or title, the text by which other tables show it, or its e-mail address; and its phone number.
 *
 * @param notes the columns that record outcomes
 */
export function rowName(row: Row, table: SaltcornTable, notes: NoteColumns | undefined) {
  // The texts of a record are identifiers and statuses.
  if (table.provider_name) return { name: '' };
  const named = nameColumns(table, notes).map((column) => row[column]);
  const all = table.fields.map(({ name }) => row[name]);
  return {
    name: named.filter(isText).find((text) => !isNumber(text)) ?? '',
    number: all.filter(isText).find((text) => /^[+(]/.test(text) && isNumber(text)),
  };
}
