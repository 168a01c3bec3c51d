import type { Execute, Item } from 'n8n-workflow';
import {
  type Media,
  mediaKey,
  mediaKeys,
  recordShape,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';

/** The endings of file names that differ from the type. */
const endings: Record<string, string> = { mpeg: 'mp3', 'x-wav': 'wav', jpeg: 'jpg' };

/** The largest file, in bytes: n8n holds it in memory. An hour of a recording has about 60 MB. */
const mostBytes = 100_000_000;

/**
 * Reads a file.
 *
 * @throws {TelephonyError} if it is too large
 */
async function readFile({ headers, stream }: Media): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (Math.max(size, Number(headers['content-length'] ?? 0)) > mostBytes)
      throw new TelephonyError(
        'bad-answer',
        `The file is larger than ${mostBytes / 1_000_000} MB, so it was not downloaded. Download it in the console of your account.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Downloads the media of a record as binary data. */
export async function downloadMedia(
  context: Execute,
  telephony: Telephony,
  shape: string,
  item: number,
): Promise<Item[]> {
  const keys = mediaKeys(recordShape(shape).media);
  const record = Object.fromEntries(
    keys.map((key) => [key, String(context.getNodeParameter(key, item, '') ?? '').trim()]),
  );
  const key = mediaKey(shape, record);
  if (key === undefined)
    throw new TelephonyError('input', 'The SID is empty. Enter the SID of the record to download.');
  const signal = context.getExecutionCancelSignal();
  const media = await telephony.media(shape, key, { signal });
  const file = await readFile(media);
  const type = media.headers['content-type']?.replace(/;.*$/s, '');
  const ending = type?.split('/')[1] ?? 'bin';
  const name = `${record.sid ?? key}.${endings[ending] ?? ending}`;
  const data = await context.helpers.prepareBinaryData(file, name, type);
  const property = String(context.getNodeParameter('binaryProperty', item, 'data'));
  return [{ json: record, binary: { [property]: data } }];
}
