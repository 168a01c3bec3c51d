import type { OwnedBy } from '../../generated/definition-types.ts';
import type { TelephonyRecord } from '../answer/read-record.ts';
import { type ListSource, listSource, requestOf } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Context } from '../perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import { largestPage } from './largest-page.ts';
import { eachPage, type Page } from './list-pages.ts';
import type { Owners } from './owners.ts';

/** How many owners are asked for their records at a time. */
const together = 5;

/** So few owners are asked one by one at once; more, as soon as reading everybody's records cost as many requests. */
const fewOwners = 2;

/** No owner has more pages of records: a service that names more ignores which one is asked for. */
const mostPagesOfOne = 2;

/** A service that goes on after so many requests leads in circles. */
const mostRequests = 1_000;

/** What a search is for. */
export interface Search {
  context: Context;
  /** The list that is searched. */
  source: ListSource;
  rule: OwnedBy;
  owners: Owners;
  /** Everybody's records. */
  pages: AsyncGenerator<Page>;
  /** The keys of the records that were given out before. */
  shown: Iterable<string>;
}

/**
 * The records of some owners, from a list of everybody's: both are read in large pages and held against each other. Where
 * that is cheaper, the owners are asked for their records one by one.
 */
export class OwnedSearch {
  readonly #search: Search;
  readonly #key: string;
  readonly #read: Set<string>;
  /** What was read and not given out; it belongs to one of the owners, or that is not known yet. */
  #held: TelephonyRecord[] = [];
  #pagesRead = 0;
  /** Those still to be asked, when they are asked one by one. */
  #unasked: string[] | undefined;
  #canAsk = true;
  #isRead = false;
  #requests = 0;

  constructor(search: Search) {
    this.#search = search;
    this.#key = recordShape(search.source.result.of).key;
    this.#read = new Set(search.shown);
  }

  /** What was found and not given out. */
  get found(): TelephonyRecord[] {
    return this.#held.filter(this.#search.owners.own);
  }

  /** Whether there is nothing left to be found. */
  get isOver(): boolean {
    return this.#isRead && this.#isDecided;
  }

  get #isDecided() {
    return this.#search.owners.isWhole || this.#held.every(this.#search.owners.own);
  }

  /** Gives out what was found, up to so many. */
  take(size: number): Page {
    const records = this.found.slice(0, size);
    const taken = new Set(records);
    this.#held = this.#held.filter((record) => !taken.has(record));
    return { records, more: !this.isOver || this.found.length > 0 };
  }

  /**
   * Reads on.
   *
   * @param isOwnersTurn whether to find out first whose the records are that were read
   * @returns how many requests it cost
   */
  async readOn(isOwnersTurn: boolean): Promise<number> {
    if (this.#requests >= mostRequests) throw this.#goesOn();
    const cost = await this.#readOn(isOwnersTurn);
    this.#requests += cost;
    return cost;
  }

  #goesOn() {
    const { source } = this.#search;
    const sentence = `The service's ${source.result.list} do not end.`;
    return new TelephonyError('bad-answer', sentence, { request: requestOf(source) });
  }

  async #readOn(isOwnersTurn: boolean) {
    const { owners } = this.#search;
    if (!this.#isDecided && (isOwnersTurn || this.#isRead)) {
      await owners.readOn();
      if (owners.isWhole) this.#held = this.found;
      return 1;
    }
    const fewEnough = Math.max(fewOwners, this.#pagesRead);
    const isCheaper = owners.isWhole && owners.keys.length <= fewEnough;
    return isCheaper && this.#canAsk ? this.#askNext() : this.#readPage();
  }

  #hold(records: TelephonyRecord[]) {
    const { isWhole, own } = this.#search.owners;
    for (const record of records) {
      const key = String(record[this.#key]);
      if (this.#read.has(key) || (isWhole && !own(record))) continue;
      this.#held.push(record);
      this.#read.add(key);
    }
  }

  async #readPage() {
    const { value } = await this.#search.pages.next();
    this.#pagesRead += 1;
    this.#hold(value?.records ?? []);
    this.#isRead = !value?.more;
    return 1;
  }

  async #askNext() {
    this.#unasked ??= this.#search.owners.keys;
    const next = this.#unasked.splice(0, together);
    const answers = await Promise.all(next.map((owner) => this.#recordsOf(owner)));
    this.#hold(answers.flatMap(({ records }) => records));
    this.#canAsk = answers.every(({ isWhole }) => isWhole);
    this.#isRead = this.#canAsk && this.#unasked.length === 0;
    return answers.reduce((sum, { pages }) => sum + pages, 0);
  }

  async #recordsOf(owner: string) {
    const { context, rule } = this.#search;
    const source = listSource(rule.records);
    const values = { [rule.key]: owner, ...largestPage(source) };
    const records: TelephonyRecord[] = [];
    let pages = 0;
    for await (const page of eachPage(context, source, values)) {
      records.push(...page.records);
      pages += 1;
      if (page.more && pages === mostPagesOfOne) return { records, pages, isWhole: false };
    }
    return { records, pages, isWhole: true };
  }
}
