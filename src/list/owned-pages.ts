import type { OwnedBy } from '../../generated/definition-types.ts';
import {
  type ListSource,
  pageSizeField,
  recordShape,
  usualPageSize,
} from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import type { Context } from '../send/perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import { largestPageSize } from './limit.ts';
import { eachPage, listPages, type Page } from './list-pages.ts';
import { OwnedSearch, Owners } from './owned-search.ts';

/** How many requests one page costs at most. The first half of them prefers to read owners. */
const maxRequestsPerPage = 20;

/**
 * Reads until a page is full, the search is complete, or the page has cost its requests.
 *
 * @returns the error if the service's response was bad
 */
async function fillPage(search: OwnedSearch, size: number): Promise<TelephonyError | undefined> {
  let requests = 0;
  try {
    while (requests < maxRequestsPerPage && search.found.length <= size && !search.isComplete)
      requests += await search.readNext(requests < maxRequestsPerPage / 2);
  } catch (error) {
    if (error instanceof TelephonyError && error.code === 'bad-answer') return error;
    throw error;
  }
  return undefined;
}

async function* pagesOf(search: OwnedSearch, size: number): AsyncGenerator<Page> {
  let error: TelephonyError | undefined;
  for (;;) {
    error ??= await fillPage(search, size);
    // Yields the records that were found before it throws.
    if (error && search.found.length === 0) throw error;
    const page = search.takePage(size);
    yield page;
    if (!page.more) return;
  }
}

async function* withFirst(first: Page, rest: AsyncGenerator<Page>) {
  yield first;
  yield* rest;
}

/**
 * Reads a list whose filter the service may ignore, and yields only the records of the wanted owners. Yields the service's pages as they
 * are while every record has a wanted owner. From the first other record on, it searches the unfiltered list.
 *
 * Twilio ignores the filter: a recording has no caller, and its OpenAPI document `twilio_api_v2010` (April 2026) has no parameter that
 * filters recordings by caller.
 *
 * @param source the definition of the list
 * @param rule its `ownedBy`
 * @param values the checked values, with a value for `rule.field`
 */
export async function* ownedPages(
  context: Context,
  source: ListSource,
  rule: OwnedBy,
  values: Values,
): AsyncGenerator<Page> {
  const owners = new Owners(context, rule, values[rule.field] as string | number);
  const { key } = recordShape(source.result.of);
  const shown: string[] = [];
  const pages = listPages(context, source, values);
  for (let next = await pages.next(); !next.done; next = await pages.next()) {
    const page: Page = next.value;
    if (page.records.length > 0 && owners.keys.length === 0) await owners.readPage();
    if (!page.records.every(owners.own)) {
      const largest = { ...values, ...largestPageSize(source) };
      const size = pageSizeField(source)?.key ?? '';
      const isLargest = values[size] === largest[size];
      // The search reads the list again from its start.
      if (!isLargest && context.unreadable) context.unreadable.count = 0;
      const unfiltered = isLargest ? withFirst(page, pages) : eachPage(context, source, largest);
      const search = { context, source, rule, owners, shown, pages: unfiltered };
      yield* pagesOf(new OwnedSearch(search), Number(values[size] ?? usualPageSize));
      return;
    }
    shown.push(...page.records.map((record) => String(record[key])));
    yield page;
  }
}
