import { type Answer, failure, json } from './answers.ts';

const DEFAULT_PAGE_SIZE = 50;
export const LARGEST_PAGE_SIZE = 1000;

/**
 * One page of a list, newest record first, in the service's envelope. Like the service's own, the page token names the record after
 * which the page starts (`PA` + SID) or before which it ends (`PB` + SID), so that new records do not shift pages.
 *
 * @param path the path of the list
 * @param name the key of the records in the envelope
 * @param sidOf what names a record in a token; by default its SID
 * @returns 20007 for a page size outside 1 to 1000, 21481 for a token that names no record of the list
 */
export function pageOf<T extends { sid: string }>(
  path: string,
  name: string,
  records: readonly T[],
  query: URLSearchParams,
): Answer;
export function pageOf<T>(
  path: string,
  name: string,
  records: readonly T[],
  query: URLSearchParams,
  sidOf: (record: T) => string,
): Answer;
export function pageOf<T>(
  path: string,
  name: string,
  records: readonly T[],
  query: URLSearchParams,
  sidOf: (record: T) => string = (record) => String(Object(record).sid),
): Answer {
  const size = pageSize(query);
  if (size === undefined) return failure(20007, { PageSize: query.get('PageSize') ?? '' });
  const first = firstIndex(records.map(sidOf), query, size);
  if (first === undefined) return failure(21481);

  const shown = records.slice(first.index, first.end ?? first.index + size);
  const [newest, oldest] = [shown[0], shown.at(-1)];
  const page = Number(query.get('Page') ?? 0);
  const uri = (number: number, token?: string) => pageUri(path, query, size, number, token);
  const before = newest !== undefined && first.index > 0;
  const after = oldest !== undefined && first.index + shown.length < records.length;
  return json(200, {
    first_page_uri: uri(0),
    end: page * size + Math.max(shown.length - 1, 0),
    previous_page_uri: before ? uri(Math.max(page - 1, 0), `PB${sidOf(newest)}`) : null,
    [name]: shown,
    uri: uri(page, query.get('PageToken') ?? undefined),
    page_size: size,
    start: page * size,
    next_page_uri: after ? uri(page + 1, `PA${sidOf(oldest)}`) : null,
    page,
  });
}

function pageSize(query: URLSearchParams): number | undefined {
  const size = Number(query.get('PageSize') ?? DEFAULT_PAGE_SIZE);
  return Number.isInteger(size) && size >= 1 && size <= LARGEST_PAGE_SIZE ? size : undefined;
}

function firstIndex(
  sids: readonly string[],
  query: URLSearchParams,
  size: number,
): { index: number; end?: number } | undefined {
  const token = query.get('PageToken');
  const page = query.get('Page') ?? '0';
  if (token === null) return page === '0' ? { index: 0 } : undefined;
  if (!/^\d{1,9}$/.test(page)) return undefined;
  const found = sids.indexOf(token.slice(2));
  if (found === -1) return undefined;
  if (token.startsWith('PA')) return { index: found + 1 };
  if (token.startsWith('PB')) return { index: Math.max(found - size, 0), end: found };
  return undefined;
}

function pageUri(
  path: string,
  query: URLSearchParams,
  size: number,
  page: number,
  token?: string,
): string {
  const parameters = new URLSearchParams(query);
  for (const name of ['PageSize', 'Page', 'PageToken']) parameters.delete(name);
  parameters.set('PageSize', String(size));
  parameters.set('Page', String(page));
  if (token !== undefined) parameters.set('PageToken', token);
  return `${path}?${parameters}`;
}
