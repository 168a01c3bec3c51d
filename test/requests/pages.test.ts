import type { Page } from '../../src/index.ts';
import { errorOf, parts } from './errors.ts';
import { account, accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const page = (sids: string[], next: unknown = null) => ({
  status: 200,
  body: { calls: sids.map((sid) => ({ sid })), next_page_uri: next },
});
const second = `${accountPath}/Calls.json?Page=1&PageToken=PA1`;
const third = `${accountPath}/Calls.json?Page=2&PageToken=PA2`;

async function readAll(pages: AsyncIterable<Page<{ sid: string }>>) {
  const read: [string[], boolean][] = [];
  for await (const { records, more } of pages) read.push([records.map(({ sid }) => sid), more]);
  return read;
}

test('pages are read to the last, in order, by the addresses that the service gives', async () => {
  const sent = answerWith([page(['CA1', 'CA2'], second), page(['CA3'], third), page([])]);
  expect(await readAll(telephony().pages('account-calls', {}))).toEqual([
    [['CA1', 'CA2'], true],
    [['CA3'], true],
    [[], false],
  ]);
  expect(sent.map(({ path }) => path)).toEqual([`${accountPath}/Calls.json`, second, third]);
});

test('a page is requested when it is asked for, not before', async () => {
  const sent = answerWith([page(['CA1'], second), page(['CA2'])]);
  const pages = telephony().pages('account-calls', {});
  await pages.next();
  expect(sent).toHaveLength(1);
  await pages.return();
  expect(sent).toHaveLength(1);
});

test.each([
  [1, [[['CA1'], true]]],
  [2, [[['CA1', 'CA2'], true]]],
  [
    3,
    [
      [['CA1', 'CA2'], true],
      [['CA3'], true],
    ],
  ],
  [
    4,
    [
      [['CA1', 'CA2'], true],
      [['CA3', 'CA4'], false],
    ],
  ],
])('a limit of %i records is kept, and says whether there are more', async (limit, expected) => {
  answerWith([page(['CA1', 'CA2'], second), page(['CA3', 'CA4'])]);
  expect(await readAll(telephony().pages('account-calls', {}, { limit }))).toEqual(expected);
});

const outside =
  'The service named a next page outside of this account, which was not read. What was read so far is right, but there may be more.';

test.each([
  ['another origin', 'https://elsewhere.test/2010-04-01/Accounts/AC1/Calls.json', outside],
  ['another origin without a scheme', '//elsewhere.test/x', outside],
  ['a name that looks alike', `https://service.test.elsewhere.test${second}`, outside],
  ['credentials of its own', `https://me:secret@service.test${second}`, outside],
  ['another scheme', 'file:///etc/passwd', outside],
  ['another account', '/2010-04-01/Accounts/AC2/Calls.json', outside],
  ['a way out of the account', `${accountPath}/../AC2/Calls.json`, outside],
  [
    'itself',
    `${accountPath}/Calls.json`,
    'The service named a page as the next one that was read already. What was read so far is right, but there may be more.',
  ],
  [
    'no address',
    { page: 2 },
    'The service named a next page that is no address. What was read so far is right, but there may be more.',
  ],
])('a next page that is %s is refused', async (_, next, message) => {
  const sent = answerWith([page(['CA1'], next)]);
  expect(parts(await errorOf(readAll(telephony().pages('account-calls', {}))))).toEqual({
    code: 'bad-answer',
    message,
  });
  expect(sent).toHaveLength(1);
});

test('a list that leads in circles ends in an error after the pages it has', async () => {
  answerWith([page(['CA1'], second), page(['CA2'], second)]);
  const pages = telephony().pages('account-calls', {});
  expect((await pages.next()).value?.records).toMatchObject([{ sid: 'CA1' }]);
  expect((await errorOf(pages.next())).code).toBe('bad-answer');
});

test('where the base URL has a path, the next page repeats it', async () => {
  const { connect } = await import('../../src/index.ts');
  const telephonyWithPath = connect({ ...account, baseUrl: `${account.baseUrl}/api/laml` });
  const sent = answerWith([page(['CA1'], `/api/laml${second}`), page(['CA2'])]);
  expect(await readAll(telephonyWithPath.pages('account-calls', {}))).toHaveLength(2);
  expect(sent.map(({ path }) => path)).toEqual([
    `/api/laml${accountPath}/Calls.json`,
    `/api/laml${second}`,
  ]);
});

test('an operation that returns one record has no pages', async () => {
  const id: string = 'view-a-call';
  const pages = telephony().pages(id, { callSid: 'CA1' });
  expect(parts(await errorOf(pages.next()))).toEqual({
    code: 'input',
    message: '"View a Call" does not return a list.',
  });
});
