import { type ListSource, requestOf } from '../definition/operation.ts';
import type { Address } from '../settings/check-settings.ts';
import { TelephonyError } from '../telephony-error.ts';
import { parseUrl } from '../text/parse-url.ts';
import { type Sentence, sentence, sentences } from '../text/sentence.ts';

/** With more empty pages in a row, the pages probably form a loop. */
const maxEmptyPages = 10;

/** With more pages in a row without a matching record, the service probably ignores the filter. */
const maxUnmatchedPages = 100;

/** A longer URL probably grows from page to page, in a loop. */
const maxUrlLength = 4_000;

const incomplete = sentence('The records shown are correct, but there may be more.');

/** Watches the pages of a list for loops, ignored filters and URLs outside the account. */
export class PageGuard {
  readonly #address: Address;
  readonly #source: ListSource;
  readonly #readUrls = new Set<string>();
  #matched = 0;
  #emptyPages = 0;
  #unmatchedPages = 0;

  constructor(address: Address, source: ListSource) {
    this.#address = address;
    this.#source = source;
  }

  #error(problem: Sentence) {
    const rest = this.#matched > 0 ? incomplete : undefined;
    const said = sentences(problem, rest);
    return new TelephonyError('bad-answer', said, { request: requestOf(this.#source) });
  }

  /**
   * Records a page that was read.
   *
   * @param count the number of its records
   * @param matched how many of them match the filters
   */
  addPage(url: string, count: number, matched: number) {
    this.#readUrls.add(url);
    this.#matched += matched;
    this.#emptyPages = count === 0 ? this.#emptyPages + 1 : 0;
    this.#unmatchedPages = matched === 0 ? this.#unmatchedPages + 1 : 0;
  }

  /**
   * Returns the URL of the next page. Call it only when that page is needed: an error must not hide the page before it.
   *
   * @param from the URL of the page before it
   * @param uri the next page, as the service wrote it
   * @throws {TelephonyError} with code `bad-answer` if the page must not be read
   */
  nextUrl(from: string, uri: unknown): string {
    if (this.#emptyPages > maxEmptyPages)
      throw this.#error(sentence('The service returned only empty pages.'));
    if (this.#unmatchedPages > maxUnmatchedPages)
      throw this.#error(
        sentence(
          "The service returned only records that don't match the filter. It probably does not support this filter.",
        ),
      );
    if (typeof uri !== 'string' || !parseUrl(uri, from))
      throw this.#error(sentence('The service returned an invalid URL for the next page.'));
    const url = nextUrl(this.#address, from, uri);
    if (url === undefined)
      throw this.#error(
        sentence('The service returned a next page outside this account. It was not read.'),
      );
    if (url.length > maxUrlLength)
      throw this.#error(sentence('The service returned a URL for the next page that is too long.'));
    if (this.#readUrls.has(url))
      throw this.#error(sentence('The service returned the same page twice.'));
    return url;
  }
}

/**
 * Returns the URL of the next page. The service gives it as an absolute path, which behind a gateway lacks the path of the base URL; the
 * part before the account is therefore taken from the base URL. On a sister host, the path is that of the page before it. Other services give a relative URL, such as `?Page=1`.
 *
 * @param address the account, or a sister host: the only one whose pages may be read
 * @param from the URL of the page before it
 * @param uri the next page, as the service wrote it
 * @returns undefined if the next page is outside the account or on another origin
 */
export function nextUrl(
  { origin, root, accountPath }: Address,
  from: string,
  uri: string,
): string | undefined {
  const url = new URL(uri, from);
  url.hash = '';
  const isOutside = url.origin !== origin || url.username || url.password;
  if (!accountPath) {
    const { pathname } = new URL(from);
    return isOutside || !pathname.endsWith(url.pathname)
      ? undefined
      : origin + pathname + url.search;
  }
  if (url.href.startsWith(`${root}/`)) return url.href;
  if (isOutside) return undefined;
  const [, below] = url.pathname.split(`${accountPath}/`);
  return below ? `${root}/${below}${url.search}` : undefined;
}
