import { type ListSource, requestOf } from '../definition/operation.ts';
import { parseUrl } from '../parse-url.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { TelephonyError } from '../telephony-error.ts';
import { nextUrl } from './next-url.ts';

/** So many pages in a row without a record are a service that leads in circles. */
const mostEmptyPages = 10;

/** So many in a row of which no record was asked for are a service that does not know the filter. */
const mostOtherPages = 100;

/** A longer address is a service that leads in circles. */
const longestUrl = 4_000;

/** The way through the pages of a list, and what is wrong with it. */
export class PageGuard {
  readonly #settings: CheckedSettings;
  readonly #source: ListSource;
  readonly #seen = new Set<string>();
  #shown = 0;
  #emptyPages = 0;
  #otherPages = 0;

  constructor(settings: CheckedSettings, source: ListSource) {
    this.#settings = settings;
    this.#source = source;
  }

  #lost(sentence: string) {
    const rest = this.#shown > 0 ? ' The records shown are correct, but there may be more.' : '';
    return new TelephonyError('bad-answer', sentence + rest, { request: requestOf(this.#source) });
  }

  /** Counts a page: how many records it had, and how many of them were asked for. */
  pass(url: string, count: number, shown: number) {
    this.#seen.add(url);
    this.#shown += shown;
    this.#emptyPages = count === 0 ? this.#emptyPages + 1 : 0;
    this.#otherPages = shown === 0 ? this.#otherPages + 1 : 0;
  }

  /**
   * The address of the next page, which is looked at when it is asked for: the page before it is a good one.
   *
   * @param from the address of the page before it
   * @param uri what the service named in that
   */
  next(from: string, uri: unknown): string {
    if (this.#emptyPages > mostEmptyPages)
      throw this.#lost('The service returned only empty pages.');
    if (this.#otherPages > mostOtherPages)
      throw this.#lost(
        "The service returned only records that don't match the filter. It probably does not support this filter.",
      );
    if (typeof uri !== 'string' || !parseUrl(uri, from))
      throw this.#lost('The service returned an invalid URL for the next page.');
    const url = nextUrl(this.#settings, from, uri);
    if (url === undefined)
      throw this.#lost('The service returned a next page outside this account. It was not read.');
    if (url.length > longestUrl)
      throw this.#lost('The service returned a URL for the next page that is too long.');
    if (this.#seen.has(url)) throw this.#lost('The service returned the same page twice.');
    return url;
  }
}
