import type { Action, DataSource } from '../generated/definition-types.ts';
import type { Account } from './check-settings.ts';
import type { Values } from './check-values.ts';

/** An operation of the manifest. */
export type Operation = DataSource | Action;

/** A request, ready to be sent: everything but the credentials. */
export interface Request {
  method: 'GET' | 'POST';
  url: string;
  /** The form-encoded body; undefined for a request without one. */
  body: string | undefined;
}

function fieldsIn(place: 'path' | 'query' | 'form', { fields }: Operation, values: Values) {
  return fields
    .filter((field) => field.in === place && values[field.key] !== undefined)
    .map(({ name, key }): [string, string] => [name, String(values[key])]);
}

// Not URLSearchParams: a plus sign for a space is form encoding, and a query is read by stricter parsers too.
const queryOf = (pairs: [string, string][]) =>
  pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');

/**
 * Builds the request of an operation. Pure: the same values give the same request.
 *
 * @param account where the request goes
 * @param operation the definition
 * @param values the checked values by key
 */
export function buildRequest(account: Account, operation: Operation, values: Values): Request {
  const { method, path } = operation.request;
  const segments = new Map(fieldsIn('path', operation, values));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(segments.get(name) ?? ''),
  );
  const query = queryOf(fieldsIn('query', operation, values));
  return {
    method,
    url: account.root + filled + (query && `?${query}`),
    body:
      method === 'POST'
        ? new URLSearchParams(fieldsIn('form', operation, values)).toString()
        : undefined,
  };
}
