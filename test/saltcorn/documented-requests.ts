import { readDocument } from '../support/document.ts';

/** The documented numbers of requests of each page: at first, again, and with long lists. */
export function documentedRequests(): Map<string, number[]> {
  const text = readDocument('docs/saltcorn.md');
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm);
  return new Map([...rows].map(([, name = '', ...counts]) => [name, counts.map(Number)]));
}
