import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

// Flushing yields the decompressed part of a truncated body instead of an error. Its reader notices that it is incomplete.
const unzip = () => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
const unbrotli = () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });

const zlibHeader = Buffer.of(0x78, 0x9c);

// `deflate` means the zlib format, but some servers leave out its header.
async function* withZlibHeader(chunks: AsyncIterable<Buffer>) {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk[0] !== zlibHeader[0]) yield zlibHeader;
    isFirst = false;
    yield chunk;
  }
}

const ignore = () => {};
const gunzip = (response: IncomingMessage): Readable => pipeline(response, unzip(), ignore);

const decoders = new Map<string, (response: IncomingMessage) => Readable>([
  ...['gzip', 'x-gzip'].map((name) => [name, gunzip] as const),
  ['deflate', (response) => pipeline(response, withZlibHeader, unzip(), ignore)],
  ['br', (response) => pipeline(response, unbrotli(), ignore)],
]);

/**
 * Returns the decompressed body of a response. An error of the response is also an error of the body.
 *
 * @param response a response that hasn't been read yet
 */
export function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined) return response;
  return decoders.get(encoding.toLowerCase())?.(response) ?? response;
}
