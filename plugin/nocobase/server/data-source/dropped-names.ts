/** Names that the libraries with which NocoBase reads a filter drop. The filter then lets every row through. */
const isDropped = (name: string) => name === 'prototype' || Object.hasOwn(Object.prototype, name);

/** The names in a key such as `from.$eq` or `filter[from][$eq]`, which means an object. */
const namesInKey = (key: string) => [...key.matchAll(/[^.[\]"']+/g)].map(([name]) => name);

const namesIn = (value: unknown): string[] =>
  Object(value) === value
    ? Object.entries(value as object).flatMap(([name, inner]) => [
        ...namesInKey(name),
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

/**
 * Finds a name in a request's filter that NocoBase drops before it reads rows.
 *
 * @param query the raw query of the request
 */
export function droppedName(query: Record<string, unknown>): string | undefined {
  const { filter } = query;
  const inKeys = Object.keys(query)
    .filter((key) => key.startsWith('filter['))
    .flatMap(namesInKey);
  const inTexts = [filter].flat().flatMap((text) => namesIn(parsed(String(text))));
  return [...inKeys, ...inTexts].find(isDropped);
}
