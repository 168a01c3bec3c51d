/**
 * Encodes a query as Node's `querystring` does. Some servers sign it this way, and the service's official validator accepts
 * that. Two queries with the same names and values become the same text.
 *
 * @param search the query, with its question mark or without
 */
export function reencodeQuery(search: string): string {
  const grouped: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    grouped[name] ??= [];
    grouped[name].push(value);
  }
  const pairs = Object.entries(grouped).flatMap(([name, values]) =>
    values.map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}
