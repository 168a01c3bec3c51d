import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type DataSource,
  keyColumn,
  type MediaOptions,
  recordShape,
  sendMedia,
  TelephonyError,
  whySilent,
} from '../../../../src/index.ts';
import { mediaResource } from '../../resources.ts';
import type { Accounts } from '../account/account.ts';
import { mediaColumn } from '../data-source/collections.ts';
import type { Handler } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** How long an address of a sound can be used, in milliseconds. */
const validity = 60 * 60_000;

interface Ticket {
  account: string;
  shape: string;
  key: string;
  until: string;
}

// NocoBase signs its sessions with this one; none of them is ever valid here, nor the other way round.
const signature = (ticket: Ticket) =>
  createHmac('sha256', `${mediaResource}:${process.env.APP_KEY ?? ''}`)
    .update(JSON.stringify([ticket.account, ticket.shape, ticket.key, ticket.until]))
    .digest();

function isValid(ticket: Ticket, signed: string) {
  const right = signature(ticket);
  const given = Buffer.from(signed, 'base64url');
  const isSigned = given.length === right.length && timingSafeEqual(given, right);
  return isSigned && Number(ticket.until) > Date.now();
}

/**
 * The address of a record's sound. It is given out with the record: who may not list such records gets none. It says nothing
 * of the session, and is soon worth nothing.
 */
function mediaUrl(account: string, shape: string, key: string): string {
  const ticket = { account, shape, key, until: String(Date.now() + validity) };
  const query = new URLSearchParams({ ...ticket, signed: signature(ticket).toString('base64url') });
  return `${process.env.API_BASE_PATH ?? '/api/'}${mediaResource}:play?${query}`;
}

type Row = Record<string, unknown>;

/** A row with the address of its sound, where it has one. */
export function withMedia(account: string, source: DataSource, row: Row): Row {
  const shape = recordShape(source.result.of);
  const key = row[keyColumn(source)];
  if (!shape.media || typeof key !== 'string' || whySilent(shape.id, row)) return row;
  return { ...row, [mediaColumn]: mediaUrl(account, shape.id, key) };
}

/** Plays a sound: the server fetches it with the credentials, so that the browser needs none. */
export const playMedia =
  (accounts: Accounts): Handler =>
  async (context) => {
    const { account, shape, key, until, signed } = context.query;
    const ticket = {
      account: textOf(account),
      shape: textOf(shape),
      key: textOf(key),
      until: textOf(until),
    };
    const open = async (options: MediaOptions) => {
      if (!isValid(ticket, textOf(signed)))
        throw new TelephonyError(
          'not-found',
          'This address is no longer valid. Load the page again to hear the recording.',
        );
      const { telephony } = await accounts.get(ticket.account);
      return telephony().media(ticket.shape, ticket.key, options);
    };
    context.respond = false;
    await sendMedia(context.req, context.res, open);
  };
