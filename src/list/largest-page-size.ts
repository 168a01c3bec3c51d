import { type ListSource, pageSizeField } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';

/** Returns the value that requests the largest pages of a list. */
export function largestPageSize(source: ListSource): Values {
  const size = pageSizeField(source);
  return size?.maximum === undefined ? {} : { [size.key]: size.maximum };
}
