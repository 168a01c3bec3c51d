import { getState } from '@saltcorn/data/db/state';
import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import type { Row } from '../where/where.ts';
import type { NoteColumns } from './row-notes.ts';

/**
 * The column that a user chose to show rows of this table in key fields. Key fields of provided tables choose it
 * themselves, so they don't count.
 */
function summaryColumn({ name }: SaltcornTable): string | undefined {
  const own = getState().tables.filter(({ provider_name }) => !provider_name);
  const keys = own
    .flatMap(({ fields = [] }) => fields)
    .filter(({ reftable_name }) => reftable_name === name);
  return keys.map(({ attributes }) => attributes?.summary_field).find((column) => column);
}

/** Whether a column holds any text, not one of a list of options such as a status. */
const isFreeText = ({ type, attributes }: SaltcornField) =>
  typeof type !== 'string' && type.name === 'String' && !attributes?.options;

/**
 * The columns that name a row, best first. Saltcorn sorts columns by name, so the first text column can be anything.
 */
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
 * A row's name for people, and its phone number. The name is a name or title, the text that other tables show, or the
 * e-mail address.
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
