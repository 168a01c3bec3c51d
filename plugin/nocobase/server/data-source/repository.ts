import { IncomingMessage } from 'node:http';
import { TTLCache } from '@isaacs/ttlcache';
import {
  type CleanPhone,
  type Condition,
  columnOf,
  type DataSource,
  definitions,
  filterOnlyFields,
  filters,
  isList,
  isMissing,
  isPage,
  keyColumn,
  type Said,
  sentence,
  TelephonyError,
  type TelephonyRecord,
} from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import { Forbidden } from '../action/rights.ts';
import type { ChartQuery } from '../chart/chart-query.ts';
import { chartRows } from '../chart/chart-rows.ts';
import { withMedia } from '../media/media-route.ts';
import type { Tickets } from '../media/tickets.ts';
import type { Collection, Context } from '../nocobase.ts';
import { sayFor } from '../say-for.ts';
import { mediaColumn } from './collections.ts';
import { droppedName } from './dropped-names.ts';
import type { Part } from './list-reader.ts';
import { ListReaders } from './list-readers.ts';
import { listRights } from './list-rights.ts';
import { listedRecords } from './listed-records.ts';
import { filterHint, inputOf, readFilter, recordFilter } from './read-filter.ts';
import { namedRelations, type RelatedCollection, relatedRecords } from './related-records.ts';
import { unlessLeft } from './unless-left.ts';

/** How long a row is cached after it was shown, in milliseconds, and how many rows are cached. */
const remembered = { ttl: 5 * 60_000, max: 1000 };

/** The maximum number of rows per read, even if NocoBase requests all. */
const maxRows = 1000;

/** The most records that a chart is computed from. */
const mostChartRecords = 10_000;

/** The highest offset of a page. NocoBase pages by offset, and reading a page reads every row before it. */
const maxOffset = 20_000;

interface Selection {
  filter?: unknown;
  filterByTk?: unknown;
  offset?: number;
  limit?: number;
  /** NocoBase accepts a list or comma-separated names. */
  fields?: string[] | string | undefined;
  except?: string[] | string | undefined;
  /** The relations to add, in the same form. */
  appends?: string[] | string | undefined;
  sort?: unknown;
  context?: Context;
}

type Row = Record<string, unknown>;

/** The account that the rows belong to. */
interface Owner {
  accounts: Accounts;
  /** The account's key. */
  key: string;
  tickets: Tickets;
}

/**
 * Returns the filter of a request, even if NocoBase ignores it and would list every row: text that isn't an object,
 * such as `false`, and names that NocoBase drops.
 *
 * @param query the raw query of the request
 */
function completeFilter(filter: unknown, query: Record<string, unknown>): unknown {
  const dropped = droppedName(query);
  if (dropped !== undefined) return Object.fromEntries([[dropped, true]]);
  const given = query.filter;
  return typeof given === 'string' && !given.trimStart().startsWith('{') ? given : filter;
}

const filterOf = ({ filter, context }: Selection) => completeFilter(filter, context?.query ?? {});

/** Returns the filter of a chart, which is in the body of the request. */
function chartFilterOf(filter: unknown, { request }: Context): unknown {
  const given = request?.body?.filter ?? {};
  return completeFilter(filter, { filter: JSON.stringify(given) });
}

const namesIn = (names: Selection['fields']) =>
  names === undefined
    ? undefined
    : new Set([names].flat().flatMap((name) => String(name).split(',')));

/** NocoBase requests one row more than it shows, to see whether more follow. This is that row. */
const another: Row = {};

/** Finds the data source that reads one record of the same shape by its key. */
const singleSource = (source: DataSource): DataSource | undefined =>
  definitions.dataSources.find(
    (other) =>
      !isList(other) &&
      other.result.of === source.result.of &&
      filters(other).length === 1 &&
      filters(other).every((field) => columnOf(field) === keyColumn(other)),
  );

/** NocoBase shows the message above the list. */
function show(hint: Said | undefined, context: Context | undefined): void {
  if (hint && context) context.state.messages = [{ message: sayFor(context)(hint) }];
}

const readOnly = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    sentence('“{name}” is read-only: its rows come from the telephony account.', {
      name: { text: name },
    }),
  );

const unsorted = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    sentence('“{name}” cannot be sorted: the service determines the order. Remove the sorting.', {
      name: { text: name },
    }),
  );

const noPage = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    sentence('“{name}” has no such page. Pages start at 1.', { name: { text: name } }),
  );

// Users would mistake a truncated list for the complete one.
const tooLong = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    sentence(
      '“{name}” has more than {most} rows, which are too many to be read at once. Filter it, or show it in pages.',
      { name: { text: name }, most: maxRows },
    ),
  );

const tooManyForChart = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    sentence(
      'More than {most} records of “{name}” match this chart. Filter it, for example by date.',
      { name: { text: name }, most: mostChartRecords },
    ),
  );

const tooFar = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    sentence('“{name}” shows its first {most} rows. Filter it to see others.', {
      ...{ name: { text: name }, most: maxOffset },
    }),
  );

/** Returns nothing for a record that doesn't exist, and throws other errors. */
function ifMissing(error: unknown): undefined {
  if (error instanceof TelephonyError && error.code === 'not-found') return undefined;
  throw error;
}

/** Reads the rows of a collection. */
export class TelephonyRepository {
  readonly #source: DataSource;
  readonly #owner: Owner;
  readonly #readers: ListReaders;
  readonly #seen = new TTLCache<string, TelephonyRecord>(remembered);
  readonly collection: object;

  constructor(collection: object, source: DataSource, owner: Owner) {
    this.collection = collection;
    this.#source = source;
    this.#readers = new ListReaders(source);
    this.#owner = owner;
  }

  #account() {
    const { accounts, key } = this.#owner;
    return accounts.get(key);
  }

  #shown(row: TelephonyRecord, input: Row, { fields, except }: Selection): Row {
    const own = filterOnlyFields(this.#source).map((field) => [columnOf(field), input[field.key]]);
    const { tickets, key: account } = this.#owner;
    const record = { ...row, ...Object.fromEntries(own) };
    const key = keyColumn(this.#source);
    const [wanted, hidden] = [namesIn(fields), namesIn(except)];
    const isShown = (name: string) =>
      name === key || ((!wanted || wanted.has(name)) && !hidden?.has(name));
    // Signing a ticket costs more than the rest of the row.
    const whole = isShown(mediaColumn) ? withMedia(tickets, account, this.#source, record) : record;
    return Object.fromEntries(Object.entries(whole).filter(([name]) => isShown(name)));
  }

  /** Returns the rows as NocoBase shows them, with the related records that it requests. */
  async #shownRows(
    rows: TelephonyRecord[],
    input: Row,
    selection: Selection,
  ): Promise<[key: string, row: Row][]> {
    const { appends, context } = selection;
    const wanted = context ? namedRelations(this.#source, appends) : [];
    const related =
      context && wanted.length > 0
        ? await relatedRecords(this.collection as RelatedCollection, wanted, rows, context)
        : () => ({});
    return rows.map((row) => [
      String(row[keyColumn(this.#source)]),
      { ...this.#shown(row, input, selection), ...related(row) },
    ]);
  }

  /** How the account normalises phone numbers. Invalid settings throw only when it is used. */
  async #phoneForm(): Promise<CleanPhone> {
    const account = await this.#account();
    return (text) => account.telephony().cleanPhone(text);
  }

  async #conditionOf(filter: unknown): Promise<Condition> {
    return readFilter(this.#source, filter, await this.#phoneForm());
  }

  async #filterHint(condition: Condition): Promise<Said | undefined> {
    const { defaultCountry } = (await this.#account()).settings;
    return filterHint(this.#source, condition, Boolean(defaultCountry));
  }

  async #part(input: Row, offset: number, limit: number, context?: Context): Promise<Part> {
    if (!isList(this.#source)) {
      const record = await this.#record(input, context);
      return { rows: offset === 0 ? record : [], more: false };
    }
    const account = await this.#account();
    const reader = context?.auth?.user?.id;
    const list = this.#readers.of(account, input, { offset, limit, reader });
    return unlessLeft(context, (signal) => list.part(offset, limit, signal));
  }

  /** Runs a data source. Aborts if the user leaves. */
  async #run(source: DataSource, input: Row, context?: Context) {
    const account = await this.#account();
    return unlessLeft(context, (signal) => account.telephony().run(source.id, input, { signal }));
  }

  async #record(input: Row, context?: Context): Promise<TelephonyRecord[]> {
    const found = await this.#run(this.#source, input, context).catch(ifMissing);
    if (!found) return [];
    return isPage(found) ? found.records : [found];
  }

  async find(selection: Selection = {}): Promise<Row[]> {
    const { offset = 0, limit, sort, context } = selection;
    if (sort && String(sort) !== '') throw unsorted(this.#source);
    if (!(offset >= 0)) throw noPage(this.#source);
    const condition = await this.#conditionOf(filterOf(selection));
    const input = inputOf(this.#source, condition);
    if (!input) {
      show(await this.#filterHint(condition), context);
      return [];
    }
    if (offset > maxOffset) throw tooFar(this.#source);
    const wanted = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(limit - 1, 1);
    const size = Math.min(wanted, maxRows);
    const { rows, more, hint } = await this.#part(input, offset, size, context);
    show(hint, context);
    if (more && wanted > maxRows) throw tooLong(this.#source);
    for (const row of rows) this.#seen.set(String(row[keyColumn(this.#source)]), row);
    const shown = (await this.#shownRows(rows, input, selection)).map(([, row]) => row);
    return more && limit !== undefined && limit > 1 ? [...shown, another] : shown;
  }

  /**
   * Reads the records that match a filter on a column that records lack, such as the recordings of a caller, by key.
   */
  async #filtered(selection: Selection): Promise<Map<string, TelephonyRecord> | undefined> {
    const input = inputOf(this.#source, await this.#conditionOf(filterOf(selection)));
    const unseen = filterOnlyFields(this.#source).some(({ key }) => input && key in input);
    if (!input || !unseen) return undefined;
    const { rows } = await this.#part(input, 0, maxRows, selection.context);
    return new Map(rows.map((row) => [String(row[keyColumn(this.#source)]), row]));
  }

  /** Reads a record by its key. If the service can't look it up, finds it among the rows shown recently. */
  async #recordOf(key: unknown, context?: Context): Promise<TelephonyRecord | undefined> {
    const single = singleSource(this.#source);
    const [field] = single ? filters(single) : [];
    if (!single || !field) return this.#seen.get(String(key));
    const found = await this.#run(single, { [field.key]: key }, context);
    return isPage(found) ? undefined : found;
  }

  /** Returns the record with the key if it matches the filter or, without a key, the first match. */
  async findOne(selection: Selection): Promise<Row | null> {
    if (selection.filterByTk === undefined) {
      const [first] = await this.find({ ...selection, offset: 0, limit: 2 });
      return first ?? null;
    }
    const [key] = [selection.filterByTk].flat();
    if (isMissing(key)) return null;
    const [found] = (await this.findByKeys([String(key)], selection)).values();
    return found ?? null;
  }

  async #listed(keys: string[], context?: Context): Promise<Map<string, TelephonyRecord>> {
    const account = await this.#account();
    return unlessLeft(context, (signal) =>
      listedRecords(account.telephony(), this.#source, keys, signal),
    );
  }

  /** Returns a function that reads the record with a key if it exists and matches the filter. */
  async #finder(keys: string[], selection: Selection) {
    const filtered = await this.#filtered(selection);
    const listed = filtered ?? (await this.#listed(keys, selection.context));
    const fits = filtered
      ? () => true
      : recordFilter(
          this.#source,
          await this.#conditionOf(filterOf(selection)),
          await this.#phoneForm(),
        );
    return async (key: string): Promise<TelephonyRecord | undefined> => {
      const isElsewhere = filtered === undefined && !listed.has(key);
      const record = isElsewhere ? await this.#recordOf(key, selection.context) : listed.get(key);
      return record && fits(record) ? record : undefined;
    };
  }

  /** Reads rows by key. Stops at the first that doesn't exist or doesn't match the filter. */
  async findByKeys(keys: string[], selection: Selection): Promise<Map<string, Row>> {
    const find = await this.#finder(keys, selection);
    const records: TelephonyRecord[] = [];
    for (const key of keys) {
      const record = await find(key);
      if (!record) break;
      records.push(record);
    }
    return new Map(await this.#shownRows(records, {}, selection));
  }

  /** Reads rows by key. Leaves out those that don't exist or don't match the filter. */
  async findExisting(keys: string[], selection: Selection): Promise<Map<string, Row>> {
    const find = await this.#finder(keys, selection);
    const found = await Promise.all(keys.map((key) => find(key).catch(ifMissing)));
    const records = found.filter((record) => record !== undefined);
    return new Map(await this.#shownRows(records, {}, selection));
  }

  /** Returns the filter of a chart, limited to the rows that the user may list. */
  async #chartFilter(filter: unknown, context: Context | undefined): Promise<object> {
    // The query comes from the browser, and could contain a context of its own.
    if (!(context?.req instanceof IncomingMessage))
      throw new Forbidden(sentence('A chart needs a user.'));
    const collection = this.collection as Collection & RelatedCollection;
    const { dataSource } = collection.collectionManager;
    const { rights } = await listRights(context, dataSource, collection);
    return { $and: [chartFilterOf(filter, context) ?? {}, rights.filter ?? {}] };
  }

  /**
   * Computes a chart from all records that match its filter and that the user may list.
   *
   * @throws {TelephonyError} if there are too many, or a required filter is missing
   */
  async query({ filter: wanted, context, ...query }: ChartQuery & Selection): Promise<Row[]> {
    const condition = await this.#conditionOf(await this.#chartFilter(wanted, context));
    const input = inputOf(this.#source, condition);
    const hint = input ? undefined : await this.#filterHint(condition);
    if (hint) throw new TelephonyError('input', hint);
    const part: Part = input
      ? await this.#part(input, 0, mostChartRecords, context)
      : { rows: [], more: false };
    if (part.more) throw tooManyForChart(this.#source);
    show(part.hint, context);
    return chartRows(this.#source, part.rows, query);
  }

  async count(): Promise<number> {
    throw new TelephonyError(
      'input',
      sentence('“{name}” cannot be counted: the service does not report a total.', {
        name: { text: this.#source.name },
      }),
    );
  }

  async aggregate(): Promise<never> {
    throw new TelephonyError(
      'input',
      sentence('“{name}” cannot be aggregated. Use a chart.', {
        name: { text: this.#source.name },
      }),
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
