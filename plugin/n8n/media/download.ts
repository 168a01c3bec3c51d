import type { Execute, Item } from 'n8n-workflow';
import {
  mediaKey,
  mediaKeys,
  recordShape,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';

/** The endings of file names that differ from the type. */
const endings: Record<string, string> = { mpeg: 'mp3', 'x-wav': 'wav', jpeg: 'jpg' };

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
  const { headers, stream } = await telephony.media(shape, key, { signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const type = headers['content-type']?.replace(/;.*$/s, '');
  const ending = type?.split('/')[1] ?? 'bin';
  const name = `${record.sid ?? key}.${endings[ending] ?? ending}`;
  const data = await context.helpers.prepareBinaryData(Buffer.concat(chunks), name, type);
  const property = String(context.getNodeParameter('binaryProperty', item, 'data'));
  return [{ json: record, binary: { [property]: data } }];
}
