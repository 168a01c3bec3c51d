import db from '@saltcorn/data/db';
import Table from '@saltcorn/data/models/table';
import {
  columnOf,
  type DataSource,
  definitions,
  filterOnlyFields,
  keyColumn,
  type MediaRequest,
  type MediaResponse,
  requiredColumns,
  sendMedia,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import { administrator } from '../settings/minimum-role.ts';
import { say } from '../translated.ts';
import type { Row } from '../where/where.ts';

const prefix = `/${definitions.manifest.id}/media`;

/** The columns that find a row without reading a long list: those that a data source of such records requires. */
const findingColumns = ({ result }: DataSource): string[] => [
  ...new Set(
    definitions.dataSources
      .filter((other) => other.result.of === result.of)
      .flatMap(requiredColumns),
  ),
];

/** The columns whose values come from the list's filter. */
const filteredColumns = (source: DataSource) => filterOnlyFields(source).map(columnOf);

const chosen = (values: Row, columns: string[]): [string, string][] =>
  columns
    .filter((column) => typeof values[column] === 'string' && values[column] !== '')
    .map((column) => [column, String(values[column])]);

/**
 * The URL of a row's audio or picture, for users who may read the row. It contains the values that find the row again.
 *
 * @param table the name of the table
 * @param source its data source
 * @param row the row
 */
export function mediaUrl(table: string, source: DataSource, row: Row): string {
  const key = String(row[keyColumn(source)]);
  const path = [prefix, encodeURIComponent(table), encodeURIComponent(key)].join('/');
  const columns = [...findingColumns(source), ...filteredColumns(source)];
  const query = new URLSearchParams(chosen(row, columns));
  return query.size > 0 ? `${path}?${query}` : path;
}

interface Request extends MediaRequest {
  params: { table: string; sid: string };
  query: Row;
  user?: { role_id: number };
}

/** The requested row and its shape; undefined if it doesn't exist or the user may not read it. */
async function audioRow({ params, query, user }: Request) {
  const table = Table.findOne({ name: params.table });
  const source = table && dataSourceOf(table.provider_name);
  if (!source) return undefined;
  const selection = { limit: 1, ...(user ? { forUser: user } : { forPublic: true }) };
  const finding = findingColumns(source);
  const filtered = filteredColumns(source).filter((column) => query[column]);
  // The first attempt is usually enough. The owner of a row can depend on the values that the list was filtered by.
  for (const columns of filtered.length > 0 ? [finding, [...finding, ...filtered]] : [finding]) {
    const where = {
      [keyColumn(source)]: params.sid,
      ...Object.fromEntries(chosen(query, columns)),
    };
    const row = await table.getRow(where, selection);
    if (row) return { row, shape: source.result.of };
  }
  return undefined;
}

// Runs outside of the request, so that an error becomes the response and not a notice on a page.
const withoutPage = <T>(read: () => Promise<T>) => db.runWithTenant(db.getTenantSchema(), read);

/** Serves the audio and pictures of rows. The server fetches them, so the browser needs no credentials. */
export const mediaRoute = (account: Account) => ({
  url: `${prefix}/:table/:sid`,
  method: 'get',
  callback: (request: Request, response: MediaResponse) =>
    sendMedia(
      request,
      response,
      async (options) => {
        const found = await withoutPage(() => audioRow(request));
        if (!found)
          throw new TelephonyError(
            'not-found',
            sentence('There is no such file, or you may not access it.'),
          );
        const telephony = await account.telephony();
        return telephony.media(found.shape, found.row, options);
      },
      { mayKnowWhy: request.user?.role_id === administrator, say },
    ),
});
