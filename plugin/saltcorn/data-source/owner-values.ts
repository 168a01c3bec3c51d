import { type DataSource, definitions, keyColumn } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';

/** The column that records lack but their owners have, such as the caller of a recording's call. */
export const ownerColumn = ({ ownedBy }: DataSource): string | undefined => ownedBy?.field;

/**
 * Fills that column, unless a filter has filled it.
 *
 * @param source the data source of the rows
 * @param readOwners reads the records of another data source by their keys
 */
export async function withOwnerValues(
  { ownedBy }: DataSource,
  rows: Row[],
  readOwners: (source: DataSource, keys: unknown[]) => Promise<Row[]>,
): Promise<Row[]> {
  const owners = definitions.dataSources.find(({ id }) => id === ownedBy?.owners);
  if (!ownedBy || !owners) return rows;
  const { field, key } = ownedBy;
  const isEmpty = (row: Row) => row[field] === null && row[key] !== null;
  const keys = [...new Set(rows.filter(isEmpty).map((row) => row[key]))];
  if (keys.length === 0) return rows;
  const found = await readOwners(owners, keys);
  const values = new Map(found.map((owner) => [owner[keyColumn(owners)], owner[field]]));
  return rows.map((row) =>
    isEmpty(row) ? { ...row, [field]: values.get(row[key]) ?? null } : row,
  );
}
