import { eventDefinition, recordShape } from '../../definition/operation.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { eventFile } from '../deliver/event-files.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';

/** Far more than the ten files that a message can have. */
const maxFiles = 100;

const transientCodes = ['unavailable', 'timeout', 'rate-limited'];

/** Returns the URL of a file: the URI of its record without `.json`. Empty if it is on another origin. */
function urlOf(account: string, uri: unknown): string {
  const url = parseUrl(String(uri).replace(/\.json$/, ''), account);
  return url?.origin === new URL(account).origin ? url.href : '';
}

/**
 * Adds the files of a polled event, because the polled list has only their number.
 *
 * @throws {TelephonyError} if reading them can be retried
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
    for await (const page of telephony.pages(list, input, { ...options, limit: maxFiles }))
      for (const { uri, contentType } of page.records) {
        const type = typeof contentType === 'string' ? contentType : null;
        files.push(eventFile(urlOf(telephony.account, uri), type) ?? []);
      }
  } catch (error) {
    // A permanent error, such as deleted files, must not hold back the event.
    if (!(error instanceof TelephonyError) || transientCodes.includes(error.code)) throw error;
  }
  return { ...event, record: { ...record, media: files.flat() } } as unknown as TelephonyEvent;
}
