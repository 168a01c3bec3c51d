import {
  columnOf,
  countryCodeHint,
  type DataSource,
  isNational,
  tableFields,
} from '../../../src/builder.ts';
import type { Columns } from '../where/comparable.ts';
import type { Condition } from '../where/condition.ts';

/** The values that a condition compares phone number columns with. */
function numbersIn(condition: Condition, columns: Columns): [column: string, number: string][] {
  if (condition.kind === 'and' || condition.kind === 'or')
    return condition.of.flatMap((one) => numbersIn(one, columns));
  if (!('column' in condition) || columns.types.get(condition.column) !== 'phone') return [];
  if (condition.kind === 'list')
    return condition.values.map((value) => [condition.column, String(value)]);
  return condition.kind === 'comparison' && condition.operator === '='
    ? [[condition.column, String(condition.value)]]
    : [];
}

/**
 * A hint for the first number in a filter that has no country code, so that no row may match.
 *
 * @param table the table
 * @param condition the filter
 * @param hasDefault whether the account has a default country
 */
export function numberHint(
  { name, source, columns }: { name: string; source: DataSource; columns: Columns },
  condition: Condition,
  hasDefault: boolean,
): string | undefined {
  const [found] = numbersIn(condition, columns).filter(([, number]) => isNational(number));
  if (!found) return undefined;
  const [column, number] = found;
  const field = tableFields(source).find((one) => columnOf(one) === column);
  return `“${name}”: nothing found. ${countryCodeHint(field?.label ?? column, number, hasDefault)}`;
}
