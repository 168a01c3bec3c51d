import {
  isFilter,
  isMissing,
  type ListSource,
  type Page,
  pageSizeField,
  recordShape,
  storeHash,
  type Telephony,
  TelephonyError,
  type TelephonyRecord,
  wildcard,
} from '../../src/builder.ts';

/**
 * Returns the filters of a list. Builders leave out a parameter whose binding has no value, so a list without any filter is an error: it would
 * have everyone's records.
 *
 * @param given the values by key; `*` matches all records
 * @throws {TelephonyError} with code `input` if the list can be filtered, and isn't
 */
export function readFilters(source: ListSource, given: Record<string, unknown>): object {
  const filters = source.fields.filter(
    (field) => isFilter(source, field) && field !== pageSizeField(source),
  );
  const [first] = filters;
  if (first && !filters.some(({ key }) => Object.hasOwn(given, key)))
    throw new TelephonyError(
      'input',
      `Filter by ${filters.map(({ key }) => `"${key}"`).join(', ')}, or send ${first.key}=${wildcard} for all records.`,
      { field: first.key },
    );
  const empty = filters.find(({ key }) => Object.hasOwn(given, key) && isMissing(given[key]));
  if (empty)
    throw new TelephonyError(
      'input',
      `"${empty.key}" is empty. Give it a value, or send ${empty.key}=${wildcard} for all records.`,
      { field: empty.key },
    );
  const isOpen = (key: string) =>
    given[key] === wildcard && filters.some((field) => field.key === key);
  return Object.fromEntries(Object.entries(given).filter(([key]) => !isOpen(key)));
}

/** A part of a list. */
export interface ListPart {
  records: TelephonyRecord[];
  /** Reads the next part; null if there is none. */
  cursor: string | null;
  /** How many records the service sent without their key, so that they are missing. */
  unreadable?: number;
  hint?: string;
}

/** A list that is being read. */
interface OpenList {
  pages: AsyncGenerator<Page>;
  /** Records of the last page that no one has got yet. */
  rest: TelephonyRecord[];
  last: Page;
  count: number;
}

/** Where a part of a list ended. */
interface Place {
  /** A hash of the list and its filters. */
  of: string;
  /** The key of the last record. */
  after: string;
  count: number;
}

/** How many lists stay open between two parts. */
const mostOpen = 100;
/** How long one stays open, in milliseconds: its records get older meanwhile. */
const openMs = 300_000;

const write = (place: Place) => Buffer.from(JSON.stringify(place)).toString('base64url');

const wrongCursor = (sentence: string) =>
  new TelephonyError('input', sentence, { field: 'cursor' });

function read(cursor: string): Place {
  try {
    const place = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof place.of === 'string' && typeof place.after === 'string') return place;
  } catch {
    // Said below.
  }
  throw wrongCursor('The cursor is not one of an earlier answer.');
}

/**
 * Reads lists in parts. The process that read a part continues where it was; another one, or the same later, reads the list from its
 * beginning and skips what its caller has. New records that came meanwhile are skipped, too, so a list has no record twice.
 */
export class ListReader {
  readonly #open = new Map<string, { list: OpenList; timer: NodeJS.Timeout }>();

  async #start(telephony: Telephony, source: ListSource, input: object, limit: number) {
    const size = pageSizeField(source);
    const isSized = !size || size.default !== undefined || Reflect.get(input, size.key);
    const sized = isSized
      ? input
      : { ...input, [size.key]: Math.min(limit, size.maximum ?? limit) };
    const pages = telephony.pages(source.id, sized);
    const list: OpenList = { pages, rest: [], last: { records: [], more: true }, count: 0 };
    return list;
  }

  /** Takes the next records. */
  async #take(list: OpenList, limit: number): Promise<TelephonyRecord[]> {
    const taken: TelephonyRecord[] = [];
    for (;;) {
      taken.push(...list.rest.splice(0, limit - taken.length));
      if (taken.length === limit || !list.last.more) break;
      const { done, value } = await list.pages.next();
      list.last = done ? { ...list.last, more: false } : value;
      list.rest = done ? [] : [...value.records];
    }
    list.count += taken.length;
    return taken;
  }

  async #skip(list: OpenList, source: ListSource, place: Place): Promise<void> {
    const { key } = recordShape(source.result.of);
    for (;;) {
      const [record] = await this.#take(list, 1);
      if (!record)
        throw new TelephonyError(
          'not-found',
          'The record at which the last answer ended no longer exists. Read the list from its beginning.',
          { field: 'cursor' },
        );
      if (record[key] === place.after) break;
    }
    list.count = place.count;
  }

  #keep(cursor: string, list: OpenList) {
    const timer = setTimeout(() => this.#drop(cursor), openMs).unref();
    this.#open.set(cursor, { list, timer });
    const [oldest] = this.#open.keys();
    if (this.#open.size > mostOpen && oldest !== undefined) this.#drop(oldest);
  }

  #drop(cursor: string): OpenList | undefined {
    const { list, timer } = this.#open.get(cursor) ?? {};
    clearTimeout(timer);
    this.#open.delete(cursor);
    return list;
  }

  /**
   * Reads a part of a list.
   *
   * @param input the filters by key
   * @param limit how many records it has at most
   * @param cursor where the last part ended; undefined for the first
   * @throws {TelephonyError} with code `input` if the cursor is of another list or has other filters
   */
  async read(
    telephony: Telephony,
    source: ListSource,
    input: object,
    limit: number,
    cursor: string | undefined,
  ): Promise<ListPart> {
    const of = storeHash(telephony.account, source.id, JSON.stringify(input));
    const place = cursor === undefined ? undefined : read(cursor);
    if (place && place.of !== of)
      throw wrongCursor('The cursor is of another list, or of other filters. Send the same ones.');
    let list = cursor === undefined ? undefined : this.#drop(cursor);
    if (!list) {
      list = await this.#start(telephony, source, input, limit);
      if (place) await this.#skip(list, source, place);
    }
    const records = await this.#take(list, limit);
    const last = records.at(-1);
    const isOver = list.rest.length === 0 && !list.last.more;
    const after = String(last?.[recordShape(source.result.of).key] ?? '');
    const next = isOver || !last ? null : write({ of, after, count: list.count });
    if (next) this.#keep(next, list);
    const { unreadable, hint } = list.last;
    return {
      ...{ records, cursor: next },
      ...(unreadable !== undefined && { unreadable }),
      ...(hint !== undefined && { hint }),
    };
  }
}
