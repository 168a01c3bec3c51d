import { type ListSource, recordShape, requestOf } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import { matchesFilters } from '../records/field-condition.ts';
import { buildRequest } from '../request/build-request.ts';
import { isRecord, readRecord, type TelephonyRecord } from '../response/read-record.ts';
import { type Context, perform } from '../send/perform.ts';
import { addressOf } from '../settings/check-settings.ts';
import { TelephonyError } from '../telephony-error.ts';
import { isObject, type Json } from '../text/json.ts';
import { sentence } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { Request } from '../wire/send-request.ts';
import { PageGuard } from './page-guard.ts';

/** A page of a list, and whether there are more records after it. */
export type Page<Of = TelephonyRecord> = {
  records: Of[];
  more: boolean;
  /** How many records of the list, up to this page, were left out because the service sent them without their key; missing if none. */
  unreadable?: number;
  /** Why the list may be empty or lacks records, and what to change. */
  hint?: string;
};

/** Whether an operation returned a page of records, not a single record. */
export const isPage = <Result>(result: Result): result is Extract<Result, Page<unknown>> =>
  Array.isArray((result as Partial<Page> | undefined)?.records);

/** How many pages in a row without a matching record are yielded as one empty page. */
const pagesPerEmptyPage = 10;

/** Returns the list in a response. */
function listedIn({ connection }: Context, source: ListSource, body: Json): unknown[] {
  const { list: name } = source.result;
  const list = body[name];
  if (!Array.isArray(list))
    throw new TelephonyError(
      'bad-answer',
      sentence('The response contains no list of {name}. Check {setting} in {settings}.', {
        ...{ name, settings: settingsLocation() },
        setting: addressOf(connection, source).setting,
      }),
      { request: requestOf(source) },
    );
  return list;
}

/** Returns the URI of the next page in a response, as the service wrote it. */
function nextIn({ result: { next = 'next_page_uri' } }: ListSource, body: Json): unknown {
  const [outer = '', inner] = next.split('.');
  const { [outer]: value } = body;
  return inner === undefined ? value : isObject(value) ? value[inner] : undefined;
}

interface RawPage<Of> {
  records: Of[];
  /** The number of records, also of those that can't be read. */
  count: number;
  /** The URI of the next page, as the service wrote it; null if there is none. */
  next: unknown;
}

// Not part of the generator, which would keep the whole response in memory while its records are used.
async function requestPage<Of>(
  context: Context,
  source: ListSource,
  request: Request,
  read: (json: Json) => Of,
): Promise<RawPage<Of>> {
  const body = await perform(context, source, () => request);
  const next = nextIn(source, body);
  const shape = recordShape(source.result.of);
  const listed = listedIn(context, source, body);
  const readable = listed.filter((item) => isRecord(shape, item));
  if (context.unreadable) context.unreadable.count += listed.length - readable.length;
  return {
    records: readable.map(read),
    count: listed.length,
    next: next === '' ? null : (next ?? null),
  };
}

/**
 * Reads a list page by page, with one request per page. Removes records that don't match the filters or can't be read, so a page can be
 * empty.
 *
 * @param source the definition of the list
 * @param values the checked values of its fields
 * @throws {TelephonyError} of a request; `bad-answer` if the next page is outside the account or the pages form a loop
 */
export function eachPage(
  context: Context,
  source: ListSource,
  values: Values,
): AsyncGenerator<Page> {
  const { connection } = context;
  const isMatching = matchesFilters(source, values, connection.cleanPhone);
  const read = (json: Json) => readRecord(source.result.of, json, connection);
  return eachPageOf(context, source, values, read, isMatching);
}

/**
 * Reads a list like `eachPage`, but as what the caller makes of its records.
 *
 * @param read converts a record that the service sent
 * @param isMatching whether a record matches the filters
 */
export async function* eachPageOf<Of>(
  context: Context,
  source: ListSource,
  values: Values,
  read: (json: Json) => Of,
  isMatching: (record: Of) => boolean = () => true,
): AsyncGenerator<Page<Of>> {
  const guard = new PageGuard(addressOf(context.connection, source), source);
  let request = buildRequest(context.connection, source, values);
  for (;;) {
    const page = await requestPage(context, source, request, read);
    const records = page.records.filter(isMatching);
    guard.addPage(request.url, page.count, records.length);
    yield { records, more: page.next !== null };
    if (page.next === null) return;
    request = { ...request, url: guard.nextUrl(request.url, page.next) };
  }
}

/**
 * Reads a list page by page, each when the caller asks for it. Skips up to nine pages in a row that have no matching record.
 *
 * @param source the definition of the list
 * @param values the checked values of its fields
 * @throws {TelephonyError} of a request; `bad-answer` if the next page is outside the account or the pages form a loop
 */
export async function* listPages(
  context: Context,
  source: ListSource,
  values: Values,
): AsyncGenerator<Page> {
  let emptyPages = 0;
  for await (const page of eachPage(context, source, values)) {
    emptyPages = page.records.length === 0 ? emptyPages + 1 : 0;
    if (!page.more || emptyPages % pagesPerEmptyPage === 0) yield page;
  }
}
