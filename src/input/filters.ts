import { rangeEnd } from '../definition/fields.ts';
import { columnOf, isAction, isList, type Operation } from '../definition/operation.ts';
import { isDay, spanOfDay } from '../field-types/days.ts';
import { isNational } from '../field-types/phone.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { enteredValues, unknownField, type Values } from './check-values.ts';
import { countryCodeHint } from './phone-problem.ts';
import type { Problem } from './problem.ts';

/**
 * Returns the inputs of the lists that together are the wanted one: a list of values for a filter with choices, such as
 * `['busy', 'no-answer']`, means any of them, but the service filters by one. No values count as an empty filter.
 *
 * @param operation the definition
 * @param input the values by key, as entered
 */
export function alternatives(operation: Operation, input: object): object[] {
  // The check of the input says what it must be.
  if (Object(input) !== input) return [input];
  const several = operation.fields.flatMap(({ key, options }) => {
    const values: unknown = options && isList(operation) && Reflect.get(input, key);
    return Array.isArray(values) ? { key, values: new Set(values.length > 0 ? values : ['']) } : [];
  });
  if (several.length === 0) return [input];
  return several.reduce<object[]>(
    (inputs, { key, values }) =>
      inputs.flatMap((one) => [...values].map((value) => ({ ...one, [key]: value }))),
    [Object.fromEntries(enteredValues(operation, input))],
  );
}

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
    const said = sentence(
      '"{label}" is empty. Give it a value, or leave out "{key}" to list all.',
      { label: { text: field.label }, key },
    );
    return { key, said };
  });
}

/** The first moment of a date or time, or the last one, in milliseconds. */
function momentOf(value: unknown, end: 'start' | 'end'): number {
  const [first, next] = isDay(value) ? spanOfDay(value) : [Date.parse(String(value))];
  return end === 'end' && next !== undefined ? next - 1 : Number(first);
}

/**
 * Finds periods that end before they start. The service would return an empty list, or all records.
 *
 * @param operation the definition
 * @param values the cleaned values by key
 */
export function reversedPeriods({ fields }: Operation, values: Record<string, unknown>): Problem[] {
  const given = fields.filter(({ key }) => values[key] !== undefined);
  return given.flatMap((start) => {
    const end = given.find((one) => rangeEnd(one) === 'end' && columnOf(one) === columnOf(start));
    if (rangeEnd(start) !== 'start' || !end) return [];
    const [from, until] = [values[start.key], values[end.key]];
    if (!(momentOf(from, 'start') > momentOf(until, 'end'))) return [];
    const said = sentence('"{start}" is {from}, after "{end}", which is {until}. Swap them.', {
      ...{ start: { text: start.label }, from: String(from) },
      ...{ end: { text: end.label }, until: String(until) },
    });
    return { key: start.key, said };
  });
}

/** Returns the hint for an empty list that is filtered by a number without a country code. */
export function emptyHint(
  { fields }: Operation,
  values: Values,
  hasDefault: boolean,
): Sentence | undefined {
  const field = fields.find(({ key, type }) => type === 'phone' && isNational(`${values[key]}`));
  return (
    field &&
    sentence('Nothing found. {hint}', {
      hint: countryCodeHint(field.label, `${values[field.key]}`, hasDefault),
    })
  );
}
