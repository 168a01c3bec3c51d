import type { OwnedBy } from '../../generated/definition-types.ts';
import { listSource, recordShape } from '../definition/operation.ts';
import type { RecordValue, TelephonyRecord } from '../response/read-record.ts';
import type { Context } from '../send/perform.ts';
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
