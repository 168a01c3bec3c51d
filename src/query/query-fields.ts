import type { Field } from '../../generated/definition-types.ts';
import { isFilter, isList, type Operation, pageSizeField } from '../definition/operation.ts';

/** The field for how many records a list returns. */
export const limitField = 'limit';

/** How many records a list returns if its limit is empty. */
export const usualLimit = 100;

/** A filter's value that matches all records. */
export const wildcard = '*';

/** A field of a query's form, for builders whose queries are forms of texts. */
export interface QueryField {
  key: string;
  label: string;
  /** The operation's field; none for the limit. */
  field?: Field;
}

/** The fields of an operation's query: its own except the page size, and for lists a limit. */
export function queryFields(operation: Operation): QueryField[] {
  const fields = operation.fields.filter((field) => field !== pageSizeField(operation));
  return [
    ...fields.map((field) => {
      const { key, label } = field;
      return {
        key,
        label: isFilter(operation, field) ? `${label} (${wildcard} for all)` : label,
        field,
      };
    }),
    ...(isList(operation)
      ? [{ key: limitField, label: `Limit (${usualLimit} if empty)` } satisfies QueryField]
      : []),
  ];
}
