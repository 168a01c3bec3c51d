import { isAction, type Operation } from '../definition/operation.ts';
import { isNational } from '../field-types/national-number.ts';
import { unknownField, type Values } from './check-values.ts';
import { countryCodeHint } from './phone-problem.ts';
import type { Problem } from './problem.ts';

/**
 * Finds filters that were given without a value, also misspelt ones. Without them, a list would show all records to a caller who
 * wanted some.
 *
 * @param operation the definition
 * @param blank the keys that were given without a value
 */
export function emptyFilters(operation: Operation, blank: string[]): Problem[] {
  if (isAction(operation)) return [];
  return blank.flatMap((key) => {
    const field = operation.fields.find((one) => one.key === key);
    if (!field) return unknownField(operation, key);
    // A missing value of a required field is an error anyway, and a page size selects nothing.
    if (field.required || field.purpose === 'page-size') return [];
    const sentence = `"${field.label}" is empty. Give it a value, or leave out "${key}" to list all.`;
    return { key, sentence };
  });
}

/** Returns the hint for an empty list that is filtered by a number without a country code. */
export function emptyHint(
  { fields }: Operation,
  values: Values,
  hasDefault: boolean,
): string | undefined {
  const field = fields.find(({ key, type }) => type === 'phone' && isNational(`${values[key]}`));
  return (
    field && `Nothing found. ${countryCodeHint(field.label, `${values[field.key]}`, hasDefault)}`
  );
}
