import {
  type DataSource,
  type MediaOptions,
  mediaKey,
  recordShape,
  sendMedia,
  sentence,
  TelephonyError,
  unplayableReason,
} from '../../../../src/builder.ts';
import { mediaResource } from '../../resources.ts';
import type { Accounts } from '../account/account.ts';
import { mediaColumn } from '../data-source/collections.ts';
import type { Handler } from '../nocobase.ts';
import { sayFor } from '../say-for.ts';
import type { Tickets } from './tickets.ts';

/** The URL of a record's audio or picture. Only users who may read the record get it. */
function mediaUrl(ticket: string): string {
  const query = new URLSearchParams({ ticket });
  return `${process.env.API_BASE_PATH ?? '/api/'}${mediaResource}:play?${query}`;
}

type Row = Record<string, unknown>;

/** Adds the URL of a row's audio or picture, if it has one. */
export function withMedia(tickets: Tickets, account: string, source: DataSource, row: Row): Row {
  const shape = recordShape(source.result.of);
  const key = mediaKey(shape.id, row);
  if (!key || unplayableReason(shape.id, row)) return row;
  return { ...row, [mediaColumn]: mediaUrl(tickets.issue({ account, shape: shape.id, key })) };
}

/** Streams audio or a picture to a browser. The server fetches it, so the browser needs no credentials. */
export const playMedia =
  (tickets: Tickets, accounts: Accounts): Handler =>
  async (context) => {
    const open = async (options: MediaOptions) => {
      const ticket = await tickets.read(context.query.ticket);
      if (!ticket)
        throw new TelephonyError('not-found', sentence('This link has expired. Reload the page.'));
      const { telephony } = await accounts.get(ticket.account);
      return telephony().media(ticket.shape, ticket.key, options);
    };
    context.respond = false;
    await sendMedia(context.req, context.res, open, { say: sayFor(context) });
  };
