import { isList, type Operation } from '../definition/operation.ts';

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
  // Also the values that the fields' keys inherit.
  const known = operation.fields.filter(({ key }) => key in input);
  const given = Object.fromEntries(known.map(({ key }) => [key, Reflect.get(input, key)]));
  return several.reduce<object[]>(
    (inputs, { key, values }) =>
      inputs.flatMap((one) => [...values].map((value) => ({ ...one, [key]: value }))),
    [{ ...input, ...given }],
  );
}
