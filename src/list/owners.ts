import type { OwnedBy } from '../../generated/definition-types.ts';
import type { RecordValue, TelephonyRecord } from '../answer/read-record.ts';
import { listSource } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Context } from '../perform.ts';
import { largestPage } from './largest-page.ts';
import { eachPage, type Page } from './list-pages.ts';

/** Those whose records were asked for, as far as they were read: newest first. */
export class Owners {
  readonly #rule: OwnedBy;
  readonly #key: string;
  readonly #pages: AsyncGenerator<Page>;
  readonly #known = new Set<RecordValue>();
  /** Whether all are known. */
  isWhole = false;

  /** @param value what they are chosen by */
  constructor(context: Context, rule: OwnedBy, value: string | number) {
    const source = listSource(rule.owners);
    this.#rule = rule;
    this.#key = recordShape(source.result.of).key;
    this.#pages = eachPage(context, source, { [rule.field]: value, ...largestPage(source) });
  }

  /** The keys of those that are known. */
  get keys(): string[] {
    return [...this.#known].map(String);
  }

  /** Reads on, by one request. */
  async readOn() {
    const { value } = await this.#pages.next();
    for (const owner of value?.records ?? [])
      for (const key of [this.#key, this.#rule.parent ?? this.#key])
        if (owner[key]) this.#known.add(owner[key]);
    this.isWhole = !value?.more;
  }

  /** Whether a record belongs to one of those that are known. */
  readonly own = (record: TelephonyRecord): boolean =>
    this.#known.has(record[this.#rule.key] ?? null);
}
