import { isAction, type Operation } from '../definition/operation.ts';
import { isBlank, unknownField } from './check-values.ts';
import type { Problem } from './problem.ts';

/**
 * Finds filters that were given without a value, also misspelt ones. Without them, a list would show all records to a caller who
 * wanted some.
 *
 * @param operation the definition
 * @param input the values by key, as entered
 */
export function emptyFilters(operation: Operation, input: object): Problem[] {
  if (isAction(operation)) return [];
  const empty = Object.keys(input).filter((key) => isBlank(Reflect.get(input, key)));
  return empty.flatMap((key) => {
    const field = operation.fields.find((one) => one.key === key);
    if (!field) return unknownField(operation, key);
    // A missing value of a required field is an error anyway, and a page size selects nothing.
    if (field.required || field.purpose === 'page-size') return [];
    const sentence = `"${field.label}" is empty. Give it a value, or leave out "${key}" to list all.`;
    return { key, sentence };
  });
}
