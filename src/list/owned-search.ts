import type { OwnedBy } from '../../generated/definition-types.ts';
import { type ListSource, listSource, recordShape, requestOf } from '../definition/operation.ts';
import type { RecordValue, TelephonyRecord } from '../response/read-record.ts';
import type { Context } from '../send/perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';
import { largestPageSize } from './limit.ts';
import { eachPage, type Page } from './list-pages.ts';

/** The owners of the wanted records, such as the calls of a caller, read page by page, newest first. */
export class Owners {
  readonly #rule: OwnedBy;
  readonly #key: string;
  readonly #pages: AsyncGenerator<Page>;
  readonly #known = new Set<RecordValue>();
  /** Whether all owners are known. */
  isComplete = false;

  /** @param value the value that selects the owners */
  constructor(context: Context, rule: OwnedBy, value: string | number) {
    const source = listSource(rule.owners);
    this.#rule = rule;
    this.#key = recordShape(source.result.of).key;
    this.#pages = eachPage(context, source, { [rule.field]: value, ...largestPageSize(source) });
  }

  /** The keys of the known owners. */
  get keys(): string[] {
    return [...this.#known].map(String);
  }

  /** Reads the next page of owners. */
  async readPage() {
    const { value } = await this.#pages.next();
    for (const owner of value?.records ?? [])
      for (const key of [this.#key, this.#rule.parent ?? this.#key])
        if (owner[key]) this.#known.add(owner[key]);
    this.isComplete = !value?.more;
  }

  /** Whether a record belongs to a known owner. */
  readonly own = (record: TelephonyRecord): boolean =>
    this.#known.has(record[this.#rule.key] ?? null);
}

/** How many owners' records are requested at the same time. */
const ownerConcurrency = 5;

/** Up to this many owners are read one by one at once; more, once the unfiltered list has cost as many requests. */
const fewOwners = 2;

/** No owner has more pages of records. If the service returns more, it ignores the owner. */
const maxPagesPerOwner = 2;

/** After this many requests the service's pages probably form a loop. */
const maxRequests = 1_000;

export interface Search {
  context: Context;
  /** The list to search. */
  source: ListSource;
  rule: OwnedBy;
  owners: Owners;
  /** The unfiltered pages of the list. */
  pages: AsyncGenerator<Page>;
  /** The keys of the records that were already shown. */
  shown: Iterable<string>;
}

/**
 * Finds the records of some owners in an unfiltered list. Reads both in large pages and matches them. Once that is cheaper, it requests
 * the records of each owner instead.
 */
export class OwnedSearch {
  readonly #search: Search;
  readonly #key: string;
  readonly #read: Set<string>;
  /** The records that were read but not taken. Their owner is one of the known ones, or not read yet. */
  #pending: TelephonyRecord[] = [];
  #pagesRead = 0;
  /** The owners whose records weren't requested yet, once they are read one by one. */
  #remainingOwners: string[] | undefined;
  #canReadByOwner = true;
  #isListRead = false;
  #requests = 0;

  constructor(search: Search) {
    this.#search = search;
    this.#key = recordShape(search.source.result.of).key;
    this.#read = new Set(search.shown);
  }

  /** The matching records that weren't taken yet. */
  get found(): TelephonyRecord[] {
    return this.#pending.filter(this.#search.owners.own);
  }

  /** Whether all matching records were found. */
  get isComplete(): boolean {
    return this.#isListRead && this.#areOwnersKnown;
  }

  get #areOwnersKnown() {
    return this.#search.owners.isComplete || this.#pending.every(this.#search.owners.own);
  }

  /** Takes up to `size` of the found records. */
  takePage(size: number): Page {
    const records = this.found.slice(0, size);
    const taken = new Set(records);
    this.#pending = this.#pending.filter((record) => !taken.has(record));
    return { records, more: !this.isComplete || this.found.length > 0 };
  }

  /**
   * Sends the next request, or the next few.
   *
   * @param prefersOwners whether to read owners before more records, if the owner of a record isn't known
   * @returns the number of requests
   */
  async readNext(prefersOwners: boolean): Promise<number> {
    if (this.#requests >= maxRequests) throw this.#endlessListError();
    const requests = await this.#readNext(prefersOwners);
    this.#requests += requests;
    return requests;
  }

  #endlessListError() {
    const { source } = this.#search;
    const said = sentence("The service's list of {name} has no end.", { name: source.result.list });
    return new TelephonyError('bad-answer', said, { request: requestOf(source) });
  }

  async #readNext(prefersOwners: boolean) {
    const { owners } = this.#search;
    if (!this.#areOwnersKnown && (prefersOwners || this.#isListRead)) {
      await owners.readPage();
      if (owners.isComplete) this.#pending = this.found;
      return 1;
    }
    const fewEnough = Math.max(fewOwners, this.#pagesRead);
    const isCheaper = owners.isComplete && owners.keys.length <= fewEnough;
    return isCheaper && this.#canReadByOwner ? this.#readNextOwners() : this.#readPage();
  }

  #add(records: TelephonyRecord[]) {
    const { isComplete, own } = this.#search.owners;
    for (const record of records) {
      const key = String(record[this.#key]);
      if (this.#read.has(key) || (isComplete && !own(record))) continue;
      this.#pending.push(record);
      this.#read.add(key);
    }
  }

  async #readPage() {
    const { value } = await this.#search.pages.next();
    this.#pagesRead += 1;
    this.#add(value?.records ?? []);
    this.#isListRead = !value?.more;
    return 1;
  }

  async #readNextOwners() {
    this.#remainingOwners ??= this.#search.owners.keys;
    const next = this.#remainingOwners.splice(0, ownerConcurrency);
    const results = await Promise.all(next.map((owner) => this.#readOwner(owner)));
    this.#add(results.flatMap(({ records }) => records));
    this.#canReadByOwner = results.every(({ isComplete }) => isComplete);
    this.#isListRead = this.#canReadByOwner && this.#remainingOwners.length === 0;
    return results.reduce((sum, { pages }) => sum + pages, 0);
  }

  async #readOwner(owner: string) {
    const { context, rule } = this.#search;
    const source = listSource(rule.records);
    const values = { [rule.key]: owner, ...largestPageSize(source) };
    const records: TelephonyRecord[] = [];
    let pages = 0;
    for await (const page of eachPage(context, source, values)) {
      records.push(...page.records);
      pages += 1;
      if (page.more && pages === maxPagesPerOwner) return { records, pages, isComplete: false };
    }
    return { records, pages, isComplete: true };
  }
}
