import { parse, stringify } from 'node:querystring';

/**
 * Encodes a query as Node's `querystring` does. Some servers sign it this way, and the service's official validator accepts
 * that. Two queries with the same names and values become the same text.
 *
 * @param search the query, with its question mark or without
 */
export function reencodeQuery(search: string): string {
  const query = stringify(parse(search.replace(/^\?/, '')));
  return query && `?${query}`;
}
