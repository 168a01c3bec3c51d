import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Action } from '../../generated/definition-types.ts';
import type { MediaResponse } from '../media/send-media.ts';
import { inEnglish, type Say } from '../text/sentence.ts';
import type { Batch } from './batch.ts';
import { rowColumns, rowView } from './batch-view.ts';

/**
 * Whether a spreadsheet may take a text for a formula. Phone numbers are no exception: a spreadsheet would drop their plus sign, and
 * round long ones to 4.47E+11. With an apostrophe, they stay readable, and a batch still reads them.
 */
const isFormula = (text: string) => /^[=+\-@\t\r\n＝＋－＠]/.test(text);

/** Quotes a text as in RFC 4180. */
function field(text: string): string {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (texts: string[]) => `${texts.map(field).join(',')}\r\n`;

/** How many rows are written before other requests are served. */
const rowsPerPart = 500;

/**
 * Writes the rows of a batch and their outcomes as a CSV file, part by part.
 *
 * @param say writes the words in the person's language
 */
export async function* batchCsv(
  action: Action,
  { items }: Pick<Batch<unknown>, 'items'>,
  say: Say = inEnglish,
): AsyncGenerator<string> {
  // Without the mark, Excel doesn't read the file as UTF-8.
  yield `\uFEFF${line(Object.values(rowColumns).map(say))}`;
  for (let start = 0; start < items.length; start += rowsPerPart) {
    const rows = items.slice(start, start + rowsPerPart);
    yield rows.map((item) => line(Object.values(rowView(action, item, say)))).join('');
    await setImmediate();
  }
}

/** The parts of the response that are used; Node's and Express's have them. */
export type CsvResponse = Pick<MediaResponse, 'writeHead' | 'end'>;

/** Responds to a browser with a CSV file of the rows of a batch and their outcomes. */
export async function sendBatchCsv(
  response: CsvResponse,
  action: Action,
  batch: Pick<Batch<unknown>, 'items' | 'startedAt'>,
  say?: Say,
): Promise<void> {
  const day = new Date(batch.startedAt ?? Date.now()).toISOString().slice(0, 10);
  response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${action.id}-${day}.csv"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  // If the browser disconnects, no one waits for the rest.
  await pipeline(Readable.from(batchCsv(action, batch, say)), response as ServerResponse).catch(
    () => {},
  );
}
