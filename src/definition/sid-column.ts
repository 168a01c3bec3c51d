import type { DataSource, Field } from '../../generated/definition-types.ts';
import { recordShape } from './record-shape.ts';
import { recordFields } from './source-fields.ts';

/**
 * Returns the column of a data source's records that holds the SID a field expects, such as that of a recording's call.
 *
 * @returns undefined if the records have none
 */
export function sidColumn({ key, type }: Field, source: DataSource): string | undefined {
  if (type !== 'sid') return undefined;
  const shape = recordShape(source.result.of);
  if (key === `${shape.id}Sid`) return shape.key;
  return recordFields(source).find((field) => field.key === key)?.key;
}
