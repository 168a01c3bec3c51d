import { columnOf, filters, sidColumn } from '../../src/builder.ts';
import { sourceNamed } from './source-named.ts';

/** A data scope, in NocoBase's form. */
export interface DataScope {
  logic: '$and';
  items: { path: string; operator: string; value: string }[];
}

/**
 * Returns the data scope of a block in a popup until someone sets another one. It selects what belongs to the popup's
 * record, if the list requires that, such as the pictures of a message.
 *
 * @param collection the block's collection
 * @param popup the collection of the popup's record
 */
export function popupScope(collection: string, popup: string): DataScope {
  const [source, opener] = [sourceNamed(collection), sourceNamed(popup)];
  const required =
    source && opener
      ? filters(source).filter((field) => field.required && field.type === 'sid')
      : [];
  const items = required.flatMap((field) => {
    const column = opener && sidColumn(field, opener);
    const value = `{{ ctx.popup.record.${column} }}`;
    return column ? [{ path: columnOf(field), operator: '$eq', value }] : [];
  });
  return { logic: '$and', items };
}
