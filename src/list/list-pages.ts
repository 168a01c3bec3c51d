import type { Json } from '../answer/json.ts';
import { isRecord, readRecord, type TelephonyRecord } from '../answer/read-record.ts';
import { type ListSource, requestOf } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Values } from '../input/check-values.ts';
import { type Context, perform } from '../perform.ts';
import { buildRequest, type Request } from '../request/build-request.ts';
import { settingsLocation } from '../settings/settings-location.ts';
import { TelephonyError } from '../telephony-error.ts';
import { matchesFilters } from './matches-filters.ts';
import { PageGuard } from './page-guard.ts';

/** Some records of a list, and whether there are more. */
export type Page<Of = TelephonyRecord> = {
  records: Of[];
  more: boolean;
  /** Why a list without any record may be empty, and what to change. */
  hint?: string;
};

/** Whether what an operation returned is a page of records, and no record. */
export const isPage = <Result>(result: Result): result is Extract<Result, Page<unknown>> =>
  Array.isArray((result as Partial<Page> | undefined)?.records);

/** So many are read for one page that has something to show. */
const pagesTogether = 10;

function readPage({ connection }: Context, source: ListSource, body: Json): TelephonyRecord[] {
  const { list: name, of } = source.result;
  const list = body[name];
  const shape = recordShape(of);
  if (!Array.isArray(list) || !list.every((item) => isRecord(shape, item)))
    throw new TelephonyError(
      'bad-answer',
      `The response contains no list of ${name}. Check the base URL in ${settingsLocation()}.`,
      { request: requestOf(source) },
    );
  return list.map((item) => readRecord(of, item, connection));
}

interface RawPage {
  records: TelephonyRecord[];
  /** What the service names as the next page. */
  next: unknown;
}

// Apart from the generator, so that the answer itself is not held while its records are used.
async function requestPage(
  context: Context,
  source: ListSource,
  request: Request,
): Promise<RawPage> {
  const body = await perform(context, source, request);
  const { next_page_uri: next } = body;
  return { records: readPage(context, source, body), next: next === '' ? null : (next ?? null) };
}

/**
 * Reads a list page by page, by a request for each, and leaves out what was not asked for: a page can have nothing left.
 *
 * @param source the definition of the list
 * @param values the checked values of its fields
 * @throws {TelephonyError} also `bad-answer` when the next page leads outside of the account or in circles
 */
export async function* eachPage(
  context: Context,
  source: ListSource,
  values: Values,
): AsyncGenerator<Page> {
  const isAskedFor = matchesFilters(source, values, context.connection.cleanPhone);
  const course = new PageGuard(context.connection, source);
  let request = buildRequest(context.connection, source, values);
  for (;;) {
    const page: RawPage = await requestPage(context, source, request);
    const records = page.records.filter(isAskedFor);
    course.pass(request.url, page.records.length, records.length);
    yield { records, more: page.next !== null };
    if (page.next === null) return;
    request = { ...request, url: course.next(request.url, page.next) };
  }
}

/**
 * Reads a list page by page. Requests a page only when it is asked for, and goes on for a while where one has nothing left.
 *
 * @param source the definition of the list
 * @param values the checked values of its fields
 * @throws {TelephonyError} also `bad-answer` when the next page leads outside of the account or in circles
 */
export async function* listPages(
  context: Context,
  source: ListSource,
  values: Values,
): AsyncGenerator<Page> {
  let without = 0;
  for await (const page of eachPage(context, source, values)) {
    without = page.records.length === 0 ? without + 1 : 0;
    if (!page.more || without % pagesTogether === 0) yield page;
  }
}
