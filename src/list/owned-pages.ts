import type { OwnedBy } from '../../generated/definition-types.ts';
import { type ListSource, pageSizeField, usualPageSize } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Values } from '../input/check-values.ts';
import type { Context } from '../perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import { largestPage } from './largest-page.ts';
import { eachPage, listPages, type Page } from './list-pages.ts';
import { OwnedSearch } from './owned-search.ts';
import { Owners } from './owners.ts';

/** How many requests one page costs at most. In the first half of them it is found out whose the records are. */
const requestsPerPage = 20;

/** Reads until a page is full, nothing is left, or the page has cost its share. */
async function fill(wanted: OwnedSearch, size: number): Promise<TelephonyError | undefined> {
  let spent = 0;
  try {
    while (spent < requestsPerPage && wanted.found.length <= size && !wanted.isOver)
      spent += await wanted.readOn(spent < requestsPerPage / 2);
  } catch (error) {
    if (error instanceof TelephonyError && error.code === 'bad-answer') return error;
    throw error;
  }
  return undefined;
}

async function* pagesOf(wanted: OwnedSearch, size: number): AsyncGenerator<Page> {
  let fault: TelephonyError | undefined;
  for (;;) {
    fault ??= await fill(wanted, size);
    // What was found is given out before it is said why there is no more.
    if (fault && wanted.found.length === 0) throw fault;
    const page = wanted.take(size);
    yield page;
    if (!page.more) return;
  }
}

async function* withFirst(first: Page, rest: AsyncGenerator<Page>) {
  yield first;
  yield* rest;
}

/**
 * Reads a list whose filter the service may ignore, and yields only records of the owners asked for. While
 * every record belongs to one of them the service's pages are yielded as they are; from the first that does not, everybody's
 * records are searched.
 *
 * The official service does so: a recording carries no caller, and the parameter by which recordings would be
 * filtered by one is not in its OpenAPI document `twilio_api_v2010` (April 2026).
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
    if (page.records.length > 0 && owners.keys.length === 0) await owners.readOn();
    if (!page.records.every(owners.own)) {
      const largest = { ...values, ...largestPage(source) };
      const size = pageSizeField(source)?.key ?? '';
      const isLargest = values[size] === largest[size];
      const everybodys = isLargest ? withFirst(page, pages) : eachPage(context, source, largest);
      const search = { context, source, rule, owners, shown, pages: everybodys };
      yield* pagesOf(new OwnedSearch(search), Number(values[size] ?? usualPageSize));
      return;
    }
    shown.push(...page.records.map((record) => String(record[key])));
    yield page;
  }
}
