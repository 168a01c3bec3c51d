import type { SaltcornField } from '@saltcorn/data/models/table';
import { readState } from '@saltcorn/data/plugin-helper';

/**
 * Finds a column for which a URL has a value that it can't hold, such as a word for a number. Saltcorn would drop the
 * value and show all rows.
 *
 * @param fields the columns of a table
 * @param query the values in the URL, by name
 */
export function unreadColumn(
  fields: SaltcornField[],
  query: Record<string, unknown>,
  request?: object,
): SaltcornField | undefined {
  const filtered = fields.filter(
    ({ name }) => Object.hasOwn(query, name) && !['', 'null'].includes(String(query[name] ?? '')),
  );
  const values = Object.fromEntries(filtered.map(({ name }) => [name, query[name]]));
  const read = readState(values, filtered, request);
  return filtered.find(({ name }) => [read[name]].flat().some((value) => (value ?? null) === null));
}
