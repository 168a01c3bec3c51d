import { readDocument } from '../support/document.ts';

/** How many requests the docs say that a page takes: first, again, and with long lists. By the name of the page. */
export function documentedRequests(): Map<string, number[]> {
  const text = readDocument('docs/saltcorn.md');
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm);
  return new Map([...rows].map(([, name = '', ...counts]) => [name, counts.map(Number)]));
}
