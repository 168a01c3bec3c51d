import { eventDefinition } from '../../definition/event-definition.ts';
import { recordShape } from '../../definition/record-shape.ts';
import { parseUrl } from '../../parse-url.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { eventFile } from '../deliver/event-files.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';

/** A message has ten at most. */
const mostFiles = 100;

const transient = ['unavailable', 'timeout', 'rate-limited'];

/** The URI of a record is the path of its description; without the ending it is the path of the file itself. */
function urlOf(account: string, uri: unknown): string {
  const url = parseUrl(String(uri).replace(/\.json$/, ''), account);
  return url?.origin === new URL(account).origin ? url.href : '';
}

/**
 * Adds the files that a polled event came with: its own list has their number only.
 *
 * @throws {TelephonyError} if they can't be read now, but perhaps later
 */
export async function withFiles(
  telephony: Telephony,
  event: TelephonyEvent,
  options: RunOptions,
): Promise<TelephonyEvent> {
  const { media: { listedBy } = {}, result } = eventDefinition(event.id);
  const record = { ...event.record } as Record<string, unknown>;
  if (!listedBy || !Number(record[listedBy.if])) return event;
  const input = { [listedBy.field]: record[recordShape(result.of).key] };
  const files = [];
  try {
    const list: string = listedBy.source;
    for await (const page of telephony.pages(list, input, { ...options, limit: mostFiles }))
      for (const { uri, contentType } of page.records) {
        const type = typeof contentType === 'string' ? contentType : null;
        files.push(eventFile(urlOf(telephony.account, uri), type) ?? []);
      }
  } catch (error) {
    // What another attempt can't change, such as deleted files, must not hold back the event.
    if (!(error instanceof TelephonyError) || transient.includes(error.code)) throw error;
  }
  return { ...event, record: { ...record, media: files.flat() } } as unknown as TelephonyEvent;
}
