import { type ListSource, pageSizeField } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';

/** What asks a list for as many records at a time as there can be. */
export function largestPage(source: ListSource): Values {
  const size = pageSizeField(source);
  return size?.maximum === undefined ? {} : { [size.key]: size.maximum };
}
