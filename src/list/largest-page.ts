import { isList, type ListSource, operation, pageSizeField } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';

/** The list of an id that a definition names. */
export function listSource(id: string): ListSource {
  const source = operation(id);
  if (!isList(source)) throw new RangeError(`"${id}" is no list`);
  return source;
}

/** What asks a list for as many records at a time as there can be. */
export function largestPage(source: ListSource): Values {
  const size = pageSizeField(source);
  return size?.maximum === undefined ? {} : { [size.key]: size.maximum };
}
