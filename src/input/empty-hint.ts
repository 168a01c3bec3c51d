import type { Operation } from '../definition/operation.ts';
import { isNational } from '../field-types/national-number.ts';
import type { Values } from './check-values.ts';
import { countryCodeHint } from './phone-problem.ts';

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
