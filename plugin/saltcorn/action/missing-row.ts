import { type Said, sentence } from '../../../src/builder.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import { isTable, type RunArguments } from './run-arguments.ts';

/**
 * Explains an error of a formula that uses a row's column although there is no row. A button passes the key of its row
 * alone, which finds no row that is gone, or that only a required filter finds.
 *
 * @param reason Saltcorn's error of the formula
 * @returns undefined if the error has another cause
 */
export function missingRow({ row, table }: RunArguments, reason: string): Said | undefined {
  if (row || !isTable(table)) return undefined;
  if (!table.fields.some(({ name }) => reason === `${name} is not defined`)) return undefined;
  const fields = dataSourceOf(table.provider_name)?.fields ?? [];
  const problem: Said = sentence(
    'needs a row of “{table}”, but Saltcorn found none. Reload the page: the row may be gone.',
    { table: table.name },
  );
  return fields
    .filter(({ required }) => required)
    .reduce<Said>(
      (first, { label }) =>
        sentence('{first} {next}', {
          first,
          next: sentence("If it's still there, set “{label}” in the table's settings.", {
            label: { text: label },
          }),
        }),
      problem,
    );
}
