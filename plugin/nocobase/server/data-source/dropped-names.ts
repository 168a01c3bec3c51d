/** The names that every object has: NocoBase drops them from a filter, which then lets everything through. */
const isDropped = (name: string) => Object.hasOwn(Object.prototype, name);

const namesIn = (value: unknown): string[] =>
  Object(value) === value
    ? Object.entries(value as object).flatMap(([name, inner]) => [
        ...name.split('.'),
        ...namesIn(inner),
      ])
    : [];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The names of `filter[from][$eq]`, which stands for an object. */
const namesInKey = (key: string) => [...key.matchAll(/[^[\]]+/g)].map(([name]) => name);

/**
 * A name in the filter of a request that NocoBase drops before it asks for rows.
 *
 * @param query the query of the request, as it came
 */
export function droppedName(query: Record<string, unknown>): string | undefined {
  const { filter } = query;
  const inKeys = Object.keys(query)
    .filter((key) => key.startsWith('filter['))
    .flatMap(namesInKey);
  const inTexts = [filter].flat().flatMap((text) => namesIn(parsed(String(text))));
  return [...inKeys, ...inTexts].find(isDropped);
}
