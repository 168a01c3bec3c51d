import { TTLCache } from '@isaacs/ttlcache';
import {
  type CleanPhone,
  columnOf,
  type DataSource,
  definitions,
  filterOnlyFields,
  filters,
  isList,
  isMissing,
  isPage,
  keyColumn,
  TelephonyError,
  type TelephonyRecord,
} from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import { withMedia } from '../media/media-route.ts';
import type { Tickets } from '../media/tickets.ts';
import type { Context } from '../nocobase.ts';
import { mediaColumn } from './collections.ts';
import { droppedName } from './dropped-names.ts';
import type { Part } from './list-reader.ts';
import { ListReaders } from './list-readers.ts';
import { listedRecords } from './listed-records.ts';
import { filterHint, fitsFilter, readFilter } from './read-filter.ts';
import { unlessLeft } from './unless-left.ts';

/** How long a row is remembered after it was shown, in milliseconds, and how many are. */
const remembered = { ttl: 5 * 60_000, max: 1000 };

/** How many rows are read at once, also where NocoBase asks for all. */
const most = 1000;

/** The last row that a page can reach: NocoBase gives an offset, and every row before it has to be read. */
const farthest = 20_000;

interface Selection {
  filter?: unknown;
  filterByTk?: unknown;
  offset?: number;
  limit?: number;
  /** NocoBase takes a list, or a text with commas. */
  fields?: string[] | string | undefined;
  except?: string[] | string | undefined;
  sort?: unknown;
  context?: Context;
}

type Row = Record<string, unknown>;

/** Whose rows they are. */
interface Owner {
  accounts: Accounts;
  /** The key of the account. */
  key: string;
  tickets: Tickets;
}

/**
 * What was asked for, also where NocoBase takes it for no filter, which would be all: a text that is no object, such as `false`,
 * and names that it drops.
 */
function filterOf({ filter, context }: Selection): unknown {
  const given = context?.query?.filter;
  const dropped = droppedName(context?.query ?? {});
  if (dropped !== undefined) return Object.fromEntries([[dropped, true]]);
  return typeof given === 'string' && !given.trimStart().startsWith('{') ? given : filter;
}

const namesIn = (names: Selection['fields']) =>
  names === undefined
    ? undefined
    : new Set([names].flat().flatMap((name) => String(name).split(',')));

/** NocoBase asks for one row more than it shows, to see whether there are more: this one stands for it. */
const another: Row = {};

/** The data source that answers one record of the same kind by its key. */
const singleSource = (source: DataSource): DataSource | undefined =>
  definitions.dataSources.find(
    (other) =>
      !isList(other) &&
      other.result.of === source.result.of &&
      filters(other).length === 1 &&
      filters(other).every((field) => columnOf(field) === keyColumn(other)),
  );

/** NocoBase shows a hint above the list. */
function show(hint: string | undefined, context: Context | undefined): void {
  if (hint && context) context.state.messages = [{ message: hint }];
}

const readOnly = ({ name }: DataSource) =>
  new TelephonyError('input', `“${name}” is read-only: its rows come from the telephony account.`);

const unsorted = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    `“${name}” cannot be sorted: the service determines the order. Remove the sorting.`,
  );

const noPage = ({ name }: DataSource) =>
  new TelephonyError('input', `“${name}” has no such page. Pages start at 1.`);

// A part that looks like all would be taken for all.
const tooLong = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    `“${name}” has more than ${most} rows, which are too many to be read at once. Filter it, or show it in pages.`,
  );

const tooFar = ({ name }: DataSource) =>
  new TelephonyError(
    'input',
    `“${name}” shows its first ${farthest.toLocaleString('en-US')} rows. Filter it to see others.`,
  );

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
    // A ticket takes longer to sign than all else of a row.
    const whole = isShown(mediaColumn) ? withMedia(tickets, account, this.#source, record) : record;
    return Object.fromEntries(Object.entries(whole).filter(([name]) => isShown(name)));
  }

  /** How the account compares phone numbers. Invalid settings are reported by the request. */
  async #phoneForm(): Promise<CleanPhone> {
    const account = await this.#account();
    return (text) => account.telephony().cleanPhone(text);
  }

  async #part(input: Row, offset: number, limit: number, context?: Context): Promise<Part> {
    if (!isList(this.#source)) {
      const record = await this.#record(input, context);
      return { rows: offset === 0 ? record : [], more: false };
    }
    const account = await this.#account();
    const reader = context?.auth?.user?.id;
    const list = this.#readers.of(account, input, { offset, limit, reader });
    const left = new AbortController();
    return unlessLeft(
      context,
      () => left.abort(),
      () => list.part(offset, limit, left.signal),
    );
  }

  /** Asks a data source of the service, until the user who waits for it leaves. */
  async #run(source: DataSource, input: Row, context?: Context) {
    const account = await this.#account();
    const left = new AbortController();
    return unlessLeft(
      context,
      () => left.abort(),
      () => account.telephony().run(source.id, input, { signal: left.signal }),
    );
  }

  async #record(input: Row, context?: Context): Promise<TelephonyRecord[]> {
    try {
      const found = await this.#run(this.#source, input, context);
      return isPage(found) ? found.records : [found];
    } catch (error) {
      if (error instanceof TelephonyError && error.code === 'not-found') return [];
      throw error;
    }
  }

  async find(selection: Selection = {}): Promise<Row[]> {
    const { offset = 0, limit, sort, context } = selection;
    if (sort && String(sort) !== '') throw unsorted(this.#source);
    if (!(offset >= 0)) throw noPage(this.#source);
    const filter = filterOf(selection);
    const clean = await this.#phoneForm();
    const input = readFilter(this.#source, filter, clean);
    if (!input) {
      const { defaultCountry } = (await this.#account()).settings;
      show(filterHint(this.#source, filter, clean, Boolean(defaultCountry)), context);
      return [];
    }
    if (offset > farthest) throw tooFar(this.#source);
    const wanted = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(limit - 1, 1);
    const size = Math.min(wanted, most);
    const { rows, more, hint } = await this.#part(input, offset, size, context);
    show(hint, context);
    if (more && wanted > most) throw tooLong(this.#source);
    for (const row of rows) this.#seen.set(String(row[keyColumn(this.#source)]), row);
    const shown = rows.map((row) => this.#shown(row, input, selection));
    return more && limit !== undefined && limit > 1 ? [...shown, another] : shown;
  }

  /** By their keys, the records that a filter lets through by a column that they don't have, such as a caller's recordings. */
  async #filtered(selection: Selection): Promise<Map<string, TelephonyRecord> | undefined> {
    const input = readFilter(this.#source, filterOf(selection), await this.#phoneForm());
    const unseen = filterOnlyFields(this.#source).some(({ key }) => input && key in input);
    if (!input || !unseen) return undefined;
    const { rows } = await this.#part(input, 0, most, selection.context);
    return new Map(rows.map((row) => [String(row[keyColumn(this.#source)]), row]));
  }

  /** The record of a key: asked for where the service can be, or else among those that were shown lately. */
  async #recordOf(key: unknown, context?: Context): Promise<TelephonyRecord | undefined> {
    const single = singleSource(this.#source);
    const [field] = single ? filters(single) : [];
    if (!single || !field) return this.#seen.get(String(key));
    const found = await this.#run(single, { [field.key]: key }, context);
    return isPage(found) ? undefined : found;
  }

  /** One record: that of a key, if the filter lets it through, or the first that it does. */
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
    const left = new AbortController();
    return unlessLeft(
      context,
      () => left.abort(),
      () => listedRecords(account.telephony(), this.#source, keys, left.signal),
    );
  }

  /** The rows of some keys, up to the first that is not there, or that the filter does not let through. */
  async findByKeys(keys: string[], selection: Selection): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>();
    const filtered = await this.#filtered(selection);
    const listed = filtered ?? (await this.#listed(keys, selection.context));
    const clean = await this.#phoneForm();
    const fits = (record: TelephonyRecord) =>
      filtered !== undefined || fitsFilter(this.#source, filterOf(selection), record, clean);
    for (const key of keys) {
      const isElsewhere = filtered === undefined && !listed.has(key);
      const record = isElsewhere ? await this.#recordOf(key, selection.context) : listed.get(key);
      if (!record || !fits(record)) break;
      rows.set(key, this.#shown(record, {}, selection));
    }
    return rows;
  }

  async count(): Promise<number> {
    throw new TelephonyError(
      'input',
      `“${this.#source.name}” cannot be counted: the service does not report a total.`,
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
