import { isMissing } from '../../../../src/builder.ts';
import { textIn } from '../../translated.ts';
import { readableRows } from '../data-source/related-records.ts';
import type { Collection, CollectionField, Context, DataSource } from '../nocobase.ts';

type Row = Record<string, unknown>;

/** A relation to one record: a row refers to the record whose column `key` has the value of the row's column `own`. */
interface ToOne {
  name: string;
  target: Collection;
  own: string;
  key: string;
}

/** A column of rows, or of the records that they refer to. */
interface RowColumn {
  title: string;
  relation?: ToOne;
}

const titleOf = ({ name, options }: CollectionField) => textIn(options.uiSchema?.title ?? name);

function relationAt(
  source: DataSource,
  { type, name, options }: CollectionField,
): ToOne | undefined {
  const { target: targetName = '', foreignKey = '', targetKey, sourceKey } = options;
  const target = source.collectionManager.getCollection(targetName);
  if (!target) return undefined;
  const key = targetKey ?? String(target.filterTargetKey);
  if (type === 'belongsTo') return { name, target, own: foreignKey, key };
  return type === 'hasOne' && sourceKey
    ? { name, target, own: sourceKey, key: foreignKey }
    : undefined;
}

/** Finds a column of a collection, or of a record that its rows refer to: `customer.phone`. */
export function columnAt(
  source: DataSource,
  collection: Collection,
  path: string,
): RowColumn | undefined {
  const [name = '', inner, ...rest] = path.split('.');
  const field = collection.getField(name);
  if (!field || rest.length > 0) return undefined;
  if (inner === undefined) return { title: titleOf(field) };
  const relation = relationAt(source, field);
  const found = relation?.target.getField(inner);
  return relation && found && { title: `${titleOf(field)} / ${titleOf(found)}`, relation };
}

/**
 * Reads columns of the records that rows refer to, with the user's rights on these records.
 *
 * @param paths the columns, by their paths
 * @returns the values of a row, by path; none of a record that the user may not read
 */
export async function relatedValues(
  source: DataSource,
  paths: Map<string, ToOne>,
  rows: Row[],
  context: Context,
): Promise<(row: Row) => Row> {
  const byName = new Map([...paths.values()].map((relation) => [relation.name, relation]));
  const found = new Map<string, Map<string, Row>>();
  for (const { name, target, own, key } of byName.values()) {
    const keys = new Set(rows.flatMap((row) => (isMissing(row[own]) ? [] : [String(row[own])])));
    found.set(name, await readableRows(source, target.name, [...keys], context, key));
  }
  return (row) =>
    Object.fromEntries(
      [...paths].map(([path, { name, own }]) => {
        const record = found.get(name)?.get(String(row[own])) ?? {};
        return [path, record[path.slice(name.length + 1)]];
      }),
    );
}
