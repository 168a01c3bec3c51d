import type { SaltcornTable } from '@saltcorn/data/models/table';
import View, { type SaltcornView } from '@saltcorn/data/models/view';
import { readState, stateFieldsToWhere } from '@saltcorn/data/plugin-helper';
import { parseUrl, type Said, sentence, sentences, TelephonyError } from '../../../src/builder.ts';
import type { SaltcornRequest } from '../action/visitor.ts';
import { visitor } from '../settings/minimum-role.ts';
import { parseWhere } from '../where/parse-where.ts';
import { unreadColumn } from '../where/unread-column.ts';
import type { Row, Where } from '../where/where.ts';
import { columnsOf } from './columns-of.ts';

/** A view in a page, and the URL of its content. */
interface ShownView {
  view: string;
  url: string;
  isVisible: boolean;
  /** Whether a list shows no rows. */
  isEmpty?: boolean;
}

/** What the page of a click shows: its URL or that of its popup, and the views in it. */
export interface Shown {
  url: string;
  views: ShownView[];
}

/** A page, and the request that reports its content. */
export interface Page {
  shown: Shown;
  request: SaltcornRequest;
  response: object;
}

/** The maximum number of views that a page may report, because each takes time. */
const mostViews = 1_000;

/** Identifies a list in the names of its paging parameters. */
const hash = 'telephony';

const refused = (said: Said) =>
  new TelephonyError('input', sentences(said, sentence('Nothing was done.')));

const otherwise = sentence(
  'In the settings of the button, switch off “{box}”, and say which ones under “{formula}”.',
  { box: { text: 'Only rows on the page' }, formula: { text: 'Only where' } },
);

const isText = (value: unknown) => typeof value === 'string';

const isShownView = (value: Partial<ShownView> | null | undefined): value is ShownView =>
  isText(value?.view) && isText(value?.url) && typeof value?.isVisible === 'boolean';

/**
 * Parses a browser's report of what it shows.
 *
 * @throws {TelephonyError} if the report is invalid
 */
export function readShown(body: { url?: unknown; views?: unknown } | undefined): Shown {
  const { url, views } = body ?? {};
  const isAddress = typeof url === 'string' && parseUrl(url, 'http://localhost');
  const isFew = Array.isArray(views) && views.length <= mostViews;
  if (isAddress && isFew && views.every(isShownView)) return { url, views };
  throw refused(sentence('The page did not report which rows it shows. Reload it.'));
}

function decoded(path: string) {
  try {
    return decodeURIComponent(path);
  } catch {
    throw refused(sentence("The plugin can't read the page's URL. Open the page again."));
  }
}

function addressOf(url: string, { app }: SaltcornRequest) {
  const { pathname, search } = new URL(url, 'http://localhost');
  const query = Object.entries(app.get('query parser fn')(search.slice(1)));
  return {
    path: decoded(pathname).replace(/\/$/, ''),
    query: Object.fromEntries(query.filter(([, value]) => value !== '')),
  };
}

const isOf = ({ table_id, exttable_name }: SaltcornView, { id, name }: SaltcornTable) =>
  exttable_name ? exttable_name === name : table_id === id;

/** View templates that show one row or none. */
const withoutRows = ['Edit', 'Filter', 'Show'];

interface List {
  view: SaltcornView;
  url: string;
  isEmpty: boolean;
}

/**
 * The lists of a table that the user sees.
 *
 * @throws {TelephonyError} if the page has lists of the table, and the user may see none of them
 */
function listsOf(table: SaltcornTable, { views }: Shown, { user }: SaltcornRequest): List[] {
  const found = views.flatMap(({ view: name, url, isVisible, isEmpty = false }) => {
    const view = View.findOne({ name });
    // An empty placeholder for a view has no URL, either.
    if (!view && url === '') return [];
    // The view existed when the page was rendered, and may have been a list of this table.
    if (!view)
      throw refused(
        sentence('The page shows “{name}”, which no longer exists. Reload the page.', { name }),
      );
    return isOf(view, table) && !withoutRows.includes(view.viewtemplate)
      ? [{ view, url, isVisible, isEmpty }]
      : [];
  });
  const allowed = found.filter(({ view }) => (user?.role_id ?? visitor) <= view.min_role);
  const [hidden] = found;
  if (hidden && allowed.length === 0)
    throw refused(
      sentence('You may not see “{view}”, which shows rows of “{table}” on this page.', {
        ...{ view: hidden.view.name, table: table.name },
      }),
    );
  const visible = allowed.filter(({ isVisible }) => isVisible);
  return visible.length > 0 ? visible : allowed;
}

/** The only list. It may appear several times if it shows the same. */
function onlyList(table: SaltcornTable, shown: Shown, request: SaltcornRequest): List | undefined {
  const lists = listsOf(table, shown, request);
  const other = lists.find(({ view }) => view.viewtemplate !== 'List');
  if (other)
    throw refused(
      sentence(
        "“{view}” is not a list, so the plugin can't tell which rows of “{table}” it shows.",
        { view: other.view.name, table: table.name },
      ),
    );
  const [list, ...others] = lists;
  if (!list) return undefined;
  const shows = (one: List) =>
    JSON.stringify([one.view.name, one.isEmpty, stateOf(one, table, request)]);
  if (others.some((one) => shows(one) !== shows(list)))
    throw refused(
      sentences(
        sentence('The page has several lists of “{table}”, which show different rows.', {
          table: table.name,
        }),
        otherwise,
      ),
    );
  return list;
}

/** Parses the values of a filter by the types of their columns. */
function readUnderstood(
  asked: Record<string, unknown>,
  { fields }: SaltcornTable,
  request: SaltcornRequest,
) {
  const unread = unreadColumn(fields, asked, request);
  if (unread)
    throw refused(
      sentence("The plugin can't read the page's filter by “{name}”.", { name: unread.name }),
    );
  return readState(asked, fields, request);
}

/** The filters in a URL. The page and the sort order don't affect which rows a list contains. */
const filtersIn = (query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([name]) => !/^_[0-9a-f]{5}_(page|pagesize|sortby|sortdesc)$/.test(name),
    ),
  );

// Saltcorn can't write every filter of a list into a URL, such as alternative conditions.
const isUnreadable = (value: unknown) => [value].flat().includes(String({}));

/** The filter of a list, as Saltcorn computes it. */
function stateOf({ view, url }: List, table: SaltcornTable, request: SaltcornRequest) {
  const { path, query } = addressOf(url, request);
  if (path !== `/view/${view.name}` || Object.values(query).some(isUnreadable))
    throw refused(
      sentence("The plugin can't tell which rows of “{table}” the list “{view}” shows.", {
        ...{ table: table.name, view: view.name },
      }),
    );
  return readUnderstood(filtersIn(view.combine_state_and_default_state(query)), table, request);
}

/**
 * The filter in a page's URL, as its lists would read it.
 *
 * @throws {TelephonyError} if there is none, or Saltcorn would ignore a part of it, such as a misspelt column
 */
function whereOf(table: SaltcornTable, { url }: Shown, request: SaltcornRequest): Where {
  const { fields } = table;
  const state = readUnderstood(filtersIn(addressOf(url, request).query), table, request);
  const names = Object.keys(state);
  if (names.length === 0)
    throw refused(
      sentences(
        sentence('The page shows no list of “{table}”, and its URL has no filter.', {
          table: table.name,
        }),
        otherwise,
      ),
    );
  const read = (part: Row): Where => stateFieldsToWhere({ fields, state: part, table });
  // In SQL, a text of nothing but wildcards is part of every text.
  const isAny = (value: unknown) => typeof value === 'string' && /^[%_\s]*$/.test(value);
  const ignored = names.find(
    (name) =>
      [state[name]].flat().some(isAny) || Object.keys(read({ [name]: state[name] })).length === 0,
  );
  if (ignored)
    throw refused(
      sentence("“{name}” in the page's URL is not a filter of “{table}”.", {
        ...{ name: ignored, table: table.name },
      }),
    );
  const where = read(state);
  parseWhere(where, columnsOf(table));
  return where;
}

/**
 * Returns the rows that the user sees, on all pages of their list. If they see no list of the table, returns the filter
 * in the page's URL.
 *
 * @param most the maximum number of rows
 * @throws {TelephonyError} if the rows can't be determined
 */
export async function shownRows(
  table: SaltcornTable,
  { shown, request, response }: Page,
  most: number,
): Promise<{ rows: Row[] } | { where: Where }> {
  const list = onlyList(table, shown, request);
  if (!list) return { where: whereOf(table, shown, request) };
  // The URL of a list doesn't contain a filter by an empty list of values, such as `[]`.
  if (list.isEmpty) return { rows: [] };
  const state = { ...stateOf(list, table, request), [`_${hash}_pagesize`]: most };
  const { rows } =
    (await list.view.queries(false, request, response).listQuery?.(state, hash)) ?? {};
  if (!rows) throw refused(sentence('“{name}” is not a list.', { name: list.view.name }));
  // Lists contain values as stored in the database, such as 0 for false in SQLite.
  return { rows: rows.map((row) => table.readFromDB?.(row) ?? row) };
}
