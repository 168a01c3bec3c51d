import Table from '@saltcorn/data/models/table';
import { definitions, type MediaResponse, sendMedia, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import { requiredColumns } from '../data-source/source-fields.ts';
import { visitor } from '../settings/minimum-role.ts';
import type { Row } from '../where/where.ts';

const prefix = `/${definitions.manifest.id}/media`;

/**
 * Where the sound of a row can be heard by whoever may read the row's table.
 *
 * @param table the name of the table
 * @param row the row
 * @param needed the columns without which the table shows no row
 */
export function mediaUrl(table: string, row: Row, needed: string[]): string {
  const path = [prefix, encodeURIComponent(table), encodeURIComponent(String(row.sid))].join('/');
  const query = new URLSearchParams(
    needed.map((name): [string, string] => [name, String(row[name])]),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

interface Request {
  params: { table: string; sid: string };
  query: Record<string, unknown>;
  headers: { range?: string };
  user?: { role_id: number };
}

/** The shape of the row that is asked for; undefined when there is none, or it may not be read. */
async function heardShape({ params, query, user }: Request): Promise<string | undefined> {
  const table = Table.findOne({ name: params.table });
  const source = table && dataSourceOf(table.provider_name);
  if (!source || (user?.role_id ?? visitor) > table.min_role_read) return undefined;
  const needed = requiredColumns(source).map((name) => [name, String(query[name] ?? '')]);
  const row = await table.getRow({ ...Object.fromEntries(needed), sid: params.sid });
  return row ? source.result.of : undefined;
}

/** Plays the sound of rows: the server fetches it with the credentials, so that the browser needs none. */
export const mediaRoute = (account: Account) => ({
  url: `${prefix}/:table/:sid`,
  method: 'get',
  callback: (request: Request, response: MediaResponse) =>
    sendMedia(request, response, async (options) => {
      const shape = await heardShape(request);
      if (!shape)
        throw new TelephonyError('not-found', 'There is no such recording, or it is not for you.');
      const telephony = await account.telephony();
      return telephony.media(shape, request.params.sid, options);
    }),
});
