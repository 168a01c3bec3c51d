import { setImmediate } from 'node:timers/promises';
import nock from 'nock';
import { errorOf } from './errors.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const uri = (number: number) => `${accountPath}/Calls.json?Page=${number}`;
const page = (number: number, next: string | null = uri(number + 1)) => ({
  status: 200,
  body: { calls: [{ sid: `CA${number}` }], next_page_uri: next },
});
const threePages = [page(0), page(1), page(2, null)];
const refusal = { status: 400, body: '' };

const open = (options: object = {}) =>
  telephony().pages('account-calls', {}, { prefetch: true, ...options });

async function all<Of>(pages: AsyncIterable<Of>): Promise<Of[]> {
  const read: Of[] = [];
  for await (const one of pages) read.push(one);
  return read;
}

/** Lets pending requests be sent and answered. */
async function settle() {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeAll(() => process.on('unhandledRejection', note));
afterAll(() => process.off('unhandledRejection', note));
afterEach(() => expect(unhandled).toEqual([]));

test('prefetching requests only the next page while the caller uses the current one', async () => {
  const sent = answerWith(threePages);
  const pages = open();
  await settle();
  expect(sent).toHaveLength(0);
  for (const requests of [2, 3, 3]) {
    await pages.next();
    await settle();
    expect(sent).toHaveLength(requests);
  }
  expect((await pages.next()).done).toBe(true);
});

test('prefetching returns the same pages', async () => {
  const read = async (prefetch: boolean) => {
    answerWith(threePages);
    const pages = await all(open({ prefetch }));
    nock.cleanAll();
    return pages;
  };
  expect(await read(true)).toEqual(await read(false));
});

test('prefetching stops at the limit', async () => {
  const sent = answerWith(threePages);
  expect(await all(open({ limit: 2 }))).toMatchObject([{ more: true }, { more: true }]);
  await settle();
  expect(sent).toHaveLength(2);
});

test('an error of a prefetched page is thrown when the caller needs that page', async () => {
  answerWith([page(0), refusal]);
  const pages = open();
  expect((await pages.next()).value).toMatchObject({ records: [{ sid: 'CA0' }] });
  await settle();
  expect((await errorOf(pages.next())).code).toBe('rejected');
  expect((await pages.next()).done).toBe(true);
});

test('an error of a prefetched page that no one needs is dropped', async () => {
  const sent = answerWith([page(0), refusal]);
  for await (const { records } of open()) {
    expect(records).toHaveLength(1);
    await settle();
    break;
  }
  await settle();
  expect(sent).toHaveLength(2);
});

test('the signal stops prefetching', async () => {
  const sent = answerWith(threePages);
  const stop = new AbortController();
  const pages = open({ signal: stop.signal });
  await pages.next();
  stop.abort();
  await settle();
  expect((await errorOf(pages.next())).code).toBe('aborted');
  expect(sent.length).toBeLessThan(3);
});

test('an aborted signal prevents every request', async () => {
  const sent = answerWith(threePages);
  expect((await errorOf(open({ signal: AbortSignal.abort() }).next())).code).toBe('aborted');
  expect(sent).toEqual([]);
});
