import { TTLCache } from '@isaacs/ttlcache';
import {
  columnOf,
  type DataSource,
  definitions,
  filterOnlyFields,
  filters,
  freePageSize,
  isList,
  isPage,
  keyColumn,
  TelephonyError,
  type TelephonyRecord,
} from '../../../../src/index.ts';
import type { Accounts } from '../account/accounts.ts';
import { withMedia } from '../media/media-route.ts';
import type { Context } from '../nocobase.ts';
import { Course, type Part } from './course.ts';
import { readFilter } from './read-filter.ts';

/** How long a list that is gone through is kept after it was last asked for, in milliseconds, and how many are. */
const patience = 5 * 60_000;
const most = 50;

interface Selection {
  filter?: unknown;
  filterByTk?: unknown;
  offset?: number;
  limit?: number;
  /** NocoBase takes a list, or a text with commas. */
  fields?: string[] | string | undefined;
  sort?: unknown;
  context?: Context;
}

type Row = Record<string, unknown>;

/** NocoBase asks for one row more than it shows, to see whether there are more: this one stands for it. */
const another: Row = {};

const readOnly = ({ name }: DataSource) =>
  new TelephonyError('input', `“${name}” is read-only: its rows come from the telephony account.`);

/** Reads the rows of a collection. */
export class TelephonyRepository {
  readonly #source: DataSource;
  readonly #accounts: Accounts;
  readonly #key: string;
  readonly #courses = new TTLCache<string, Course>({
    max: most,
    ttl: patience,
    updateAgeOnGet: true,
  });
  readonly #seen = new TTLCache<string, TelephonyRecord>({ max: 1000, ttl: patience });
  readonly collection: object;

  constructor(collection: object, source: DataSource, accounts: Accounts, key: string) {
    this.collection = collection;
    this.#source = source;
    this.#accounts = accounts;
    this.#key = key;
  }

  #shown(row: TelephonyRecord, input: Row, fields: Selection['fields']): Row {
    const own = filterOnlyFields(this.#source).map((field) => [columnOf(field), input[field.key]]);
    const whole: Row = withMedia(this.#key, this.#source, { ...row, ...Object.fromEntries(own) });
    if (!fields) return whole;
    const named = [fields].flat().flatMap((field) => String(field).split(','));
    const wanted = [...named, keyColumn(this.#source)];
    return Object.fromEntries(
      wanted.filter((name) => name in whole).map((name) => [name, whole[name]]),
    );
  }

  async #course(input: Row, size: number, isFirst: boolean): Promise<Course> {
    const account = await this.#accounts.get(this.#key);
    const pageSize = freePageSize(this.#source);
    const { maximum = size } = pageSize ?? {};
    const whole = pageSize ? { ...input, [pageSize.key]: Math.min(size, maximum) } : input;
    const key = JSON.stringify(Object.entries({ ...account.settings, ...whole }).sort());
    const known = this.#courses.get(key);
    // The first page shows what there is now.
    if (known && !known.isOver && !isFirst) return known;
    const course = new Course((signal) =>
      account.telephony().pages(this.#source.id, whole, { signal }),
    );
    this.#courses.set(key, course);
    return course;
  }

  async #part(input: Row, offset: number, limit: number, context?: Context): Promise<Part> {
    if (!isList(this.#source)) {
      const record = await this.#record(input, context);
      return { rows: offset === 0 ? record : [], more: false };
    }
    const course = await this.#course(input, limit, offset === 0);
    const left = () => course.stop();
    context?.res.once('close', left);
    try {
      return await course.part(offset, limit);
    } finally {
      context?.res.off('close', left);
    }
  }

  async #record(input: Row, context?: Context): Promise<TelephonyRecord[]> {
    const account = await this.#accounts.get(this.#key);
    const left = new AbortController();
    const leave = () => left.abort();
    context?.res.once('close', leave);
    try {
      const found = await account.telephony().run(this.#source.id, input, { signal: left.signal });
      return isPage(found) ? found.records : [found];
    } catch (error) {
      if (error instanceof TelephonyError && error.code === 'not-found') return [];
      throw error;
    } finally {
      context?.res.off('close', leave);
    }
  }

  async find({ filter, offset = 0, limit, fields, context }: Selection = {}): Promise<Row[]> {
    const input = readFilter(this.#source, filter);
    if (!input) return [];
    const size = limit === undefined ? 200 : Math.max(limit - 1, 1);
    const { rows, more } = await this.#part(input, offset, size, context);
    for (const row of rows) this.#seen.set(String(row[keyColumn(this.#source)]), row);
    const shown = rows.map((row) => this.#shown(row, input, fields));
    return more && limit !== undefined && limit > 1 ? [...shown, another] : shown;
  }

  /** The one record of a key: asked for where the service can be, or else among those that were shown lately. */
  async findOne({ filter, filterByTk, fields, context }: Selection): Promise<Row | null> {
    const [key] = [filterByTk ?? []].flat();
    if (key === undefined)
      return (
        (
          await this.find({
            filter,
            limit: 2,
            ...(fields && { fields }),
            ...(context && { context }),
          })
        )[0] ?? null
      );
    if (filter !== undefined && Object.keys(Object(filter)).length > 0)
      readFilter(this.#source, filter);
    const single = definitions.dataSources.find(
      (other) =>
        !isList(other) &&
        other.result.of === this.#source.result.of &&
        filters(other).length === 1 &&
        filters(other).every((field) => columnOf(field) === keyColumn(other)),
    );
    const [field] = single ? filters(single) : [];
    if (single && field) {
      const account = await this.#accounts.get(this.#key);
      const record = await account.telephony().run(single.id, { [field.key]: key });
      return isPage(record) ? null : this.#shown(record, {}, fields);
    }
    const seen = this.#seen.get(String(key));
    return seen ? this.#shown(seen, {}, fields) : null;
  }

  async count(): Promise<number> {
    throw new TelephonyError(
      'input',
      `“${this.#source.name}” cannot be counted: the service does not say how many there are.`,
    );
  }

  async findAndCount(selection: Selection): Promise<[Row[], number]> {
    const rows = await this.find(selection);
    return [rows, rows.length];
  }

  async create(): Promise<never> {
    throw readOnly(this.#source);
  }
  async update(): Promise<never> {
    throw readOnly(this.#source);
  }
  async destroy(): Promise<never> {
    throw readOnly(this.#source);
  }
}
