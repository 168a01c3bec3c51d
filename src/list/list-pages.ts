import type { Json } from '../answer/json.ts';
import { isRecord, readRecord, type TelephonyRecord } from '../answer/read-record.ts';
import type { ListSource } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Values } from '../input/check-values.ts';
import { type Context, perform } from '../perform.ts';
import { buildRequest, type Request } from '../request/build-request.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { TelephonyError } from '../telephony-error.ts';

/** Some records of a list, and whether there are more. */
export type Page<Of = TelephonyRecord> = {
  records: Of[];
  more: boolean;
};

/** Whether what an operation returned is a page of records, and no record. */
export const isPage = (answer: TelephonyRecord | Page): answer is Page =>
  Array.isArray(answer.records);

/** Longer addresses, and more empty pages in a row, are a service that leads in circles. */
const longestUrl = 4_000;
const mostEmptyPages = 10;

const badPage = (sentence: string) =>
  new TelephonyError(
    'bad-answer',
    `${sentence} What was read so far is right, but there may be more.`,
  );

function readPage({ result }: ListSource, body: Json): TelephonyRecord[] {
  const list = body[result.list];
  const shape = recordShape(result.of);
  if (!Array.isArray(list) || !list.every((item) => isRecord(shape, item)))
    throw new TelephonyError(
      'bad-answer',
      `The service answered no list of ${result.list}. Check the base URL in the plugin's settings.`,
    );
  return list.map((item) => readRecord(result.of, item));
}

// The service gives the next page as a path from the origin, also where the base URL has a path.
function nextUrl(
  { origin, root }: CheckedSettings,
  uri: unknown,
  seen: Set<string>,
): string | undefined {
  if (uri === null || uri === undefined || uri === '') return undefined;
  if (typeof uri !== 'string' || !URL.canParse(uri, origin))
    throw badPage('The service named a next page that is no address.');
  const { href } = new URL(uri, origin);
  if (!href.startsWith(`${root}/`))
    throw badPage('The service named a next page outside of this account, which was not read.');
  if (href.length > longestUrl) throw badPage('The service named a next page that is too long.');
  if (seen.has(href))
    throw badPage('The service named a page as the next one that was read already.');
  return href;
}

interface RawPage {
  records: TelephonyRecord[];
  /** Of the next page. */
  url: string | undefined;
}

// Apart from the generator, so that the answer itself is not held while its records are used.
async function requestPage(
  context: Context,
  source: ListSource,
  request: Request,
  seen: Set<string>,
): Promise<RawPage> {
  const body = await perform(context, source, request);
  const records = readPage(source, body);
  return { records, url: nextUrl(context.connection, body.next_page_uri, seen) };
}

/**
 * Reads a list page by page. Requests a page only when it is asked for.
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
  const seen = new Set<string>();
  let emptyPages = 0;
  let request: Request | undefined = buildRequest(context.connection, source, values);
  while (request) {
    seen.add(request.url);
    const { records, url }: RawPage = await requestPage(context, source, request, seen);
    emptyPages = records.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages > mostEmptyPages) throw badPage('The service answered nothing but empty pages.');
    yield { records, more: url !== undefined };
    request = url === undefined ? undefined : { ...request, url };
  }
}
