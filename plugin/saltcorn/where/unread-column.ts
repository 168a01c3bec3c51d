import type { SaltcornField } from '@saltcorn/data/models/table';
import { readState } from '@saltcorn/data/plugin-helper';

/**
 * The column that an address asks for by a value that it cannot hold, such as a word for a number. Saltcorn leaves such a value
 * out, and shows all.
 *
 * @param fields the columns of a table
 * @param query the values of the address by name
 */
export function unreadColumn(
  fields: SaltcornField[],
  query: Record<string, unknown>,
  request?: object,
): SaltcornField | undefined {
  const asked = fields.filter(
    ({ name }) => Object.hasOwn(query, name) && !['', 'null'].includes(String(query[name] ?? '')),
  );
  const values = Object.fromEntries(asked.map(({ name }) => [name, query[name]]));
  const read = readState(values, asked, request);
  return asked.find(({ name }) => [read[name]].flat().some((value) => (value ?? null) === null));
}
