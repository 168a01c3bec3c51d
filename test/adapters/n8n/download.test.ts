import type { Execute, Values } from 'n8n-workflow';
import { downloadMedia } from '../../../plugin/n8n/media/download.ts';
import type { Telephony } from '../../../src/builder.ts';

const megabyte = 1_000_000;

/** Downloads a recording of some megabytes. Returns what n8n gets, and how many of them were read. */
async function download(megabytes: number, headers: Record<string, string> = {}) {
  const got = { bytes: 0, read: 0, isClosed: false };
  async function* content() {
    try {
      for (; got.read < megabytes; got.read += 1) yield new Uint8Array(megabyte);
    } finally {
      got.isClosed = true;
    }
  }
  const telephony = { media: async () => ({ status: 200, headers, stream: content() }) };
  const context = {
    getNodeParameter: (name: string) => (name === 'sid' ? `RE${'0'.repeat(32)}` : 'data'),
    getExecutionCancelSignal: () => undefined,
    helpers: {
      async prepareBinaryData({ length }: Buffer): Promise<Values> {
        got.bytes = length;
        return {};
      },
    },
  } as unknown as Execute;
  const work = downloadMedia(context, telephony as unknown as Telephony, 'recording', 0);
  const { message, code } = await work.then(() => ({}), Object);
  return { ...got, message, code };
}

const tooLarge = {
  code: 'bad-answer',
  message:
    'The file is larger than 100 MB, so it was not downloaded. Download it in the console of your account.',
};

test.each([
  ['a file of 100 MB', 100, {}, { bytes: 100 * megabyte, read: 100 }],
  ['a larger file', 1_000, {}, { bytes: 0, read: 100, isClosed: true, ...tooLarge }],
  [
    'a file that the service calls larger',
    1_000,
    { 'content-length': '100000001' },
    { bytes: 0, read: 0, isClosed: true, ...tooLarge },
  ],
])('downloads at most 100 MB: %s', async (_, megabytes, headers, got) => {
  expect(await download(megabytes, headers)).toMatchObject(got);
});
