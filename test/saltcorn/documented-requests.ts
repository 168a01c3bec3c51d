import { readDocument } from '../support/document.ts';

/** The documented numbers of requests of each page: at first, again, and with long lists. Pages with the same share a row. */
export function documentedRequests(): Map<string, number[]> {
  const text = readDocument('docs/builders/saltcorn.md');
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm);
  return new Map(
    [...rows].flatMap(([, names = '', ...counts]) =>
      names.split('; ').map((name): [string, number[]] => [name, counts.map(Number)]),
    ),
  );
}
