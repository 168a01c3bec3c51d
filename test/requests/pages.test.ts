import { connect, type Page } from '../../src/builder.ts';
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

test('pages are read in order to the last, by the URLs of the service', async () => {
  const sent = answerWith([page(['CA1', 'CA2'], second), page(['CA3'], third), page([])]);
  expect(await readAll(telephony().pages('account-calls', {}))).toEqual([
    [['CA1', 'CA2'], true],
    [['CA3'], true],
    [[], false],
  ]);
  expect(sent.map(({ path }) => path)).toEqual([`${accountPath}/Calls.json`, second, third]);
});

describe('a record without its SID', () => {
  const one =
    "1 record is missing here: the service sent it without the SID, so the plugin can't read it.";
  const three =
    "3 records are missing here: the service sent them without the SID, so the plugin can't read them.";
  const broken = (sids: unknown[], next: unknown = null) => ({
    status: 200,
    body: { calls: sids.map((sid) => (sid === 0 ? 'CA0' : { sid })), next_page_uri: next },
  });

  test.each<[string, unknown[], Page]>([
    ['among others', ['CA1', null, 'CA2'], { records: [], more: false, unreadable: 1, hint: one }],
    ['alone', [''], { records: [], more: false, unreadable: 1, hint: one }],
    ['several', [0, {}, 'CA1', []], { records: [], more: false, unreadable: 3, hint: three }],
  ])('costs only itself: %s', async (_, sids, expected) => {
    answerWith([broken(sids)]);
    const { records, ...rest } = await telephony().run('account-calls', {});
    expect(records.map(({ sid }) => sid)).toEqual(sids.filter((sid) => /^CA/.test(String(sid))));
    expect({ ...rest, records: [] }).toEqual(expected);
  });

  test('is counted once in a list of several pages', async () => {
    answerWith([broken(['CA1', null], second), broken(['CA2'], third), broken([null, '', 'CA3'])]);
    const hints: unknown[] = [];
    for await (const { records, unreadable, hint } of telephony().pages('account-calls', {}))
      hints.push([records.map(({ sid }) => sid), unreadable, hint]);
    expect(hints).toEqual([
      [['CA1'], 1, one],
      [['CA2'], 1, undefined],
      [['CA3'], 3, three],
    ]);
  });

  test('is counted once in a list that the service does not filter', async () => {
    const unread = { sid: null };
    const recordings = [{ sid: 'RE1', call_sid: 'CA2' }, unread];
    answerWith([
      { status: 200, body: { recordings } },
      { status: 200, body: { calls: [{ sid: 'CA1', from: '+12025550143' }] } },
      { status: 200, body: { recordings: [...recordings, { sid: 'RE2', call_sid: 'CA1' }] } },
    ]);
    const input = { from: '+12025550143' };
    const { records, unreadable } = await telephony().run('recordings-by-caller-id', input);
    expect([records.map(({ sid }) => sid), unreadable]).toEqual([['RE2'], 1]);
  });

  test('does not hide why a list may be empty', async () => {
    answerWith([broken([null])]);
    const { hint } = await telephony().run('calls-by-caller-id', { from: '(202) 555-0143' });
    expect(hint).toContain(`${one} Nothing found. `);
  });
});

test('a page is requested only when the caller needs it', async () => {
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
])('a limit of %i records is exact and reports whether there are more', async (limit, expected) => {
  answerWith([page(['CA1', 'CA2'], second), page(['CA3', 'CA4'])]);
  expect(await readAll(telephony().pages('account-calls', {}, { limit }))).toEqual(expected);
});

test('records are read one by one, and a page only when needed', async () => {
  const sent = answerWith([page(['CA1', 'CA2'], second), page(['CA3'])]);
  const read: [string, number][] = [];
  for await (const { sid } of telephony().records('account-calls')) read.push([sid, sent.length]);
  expect(read).toEqual([
    ['CA1', 1],
    ['CA2', 1],
    ['CA3', 2],
  ]);
});

test.each([
  ['no limit', undefined, {}, ''],
  ['a limit of one usual page', 50, {}, ''],
  ['a limit of several usual pages', 51, {}, '?PageSize=51'],
  ['a limit above the largest page', 5_000, {}, '?PageSize=1000'],
  ['a page size of the caller', 5_000, { pageSize: 20 }, '?PageSize=20'],
])('%s requests pages of the right size', async (_, limit, input, query) => {
  const sent = answerWith([page(['CA1'])]);
  for await (const _record of telephony().records('calls-by-caller-id', input, { limit }));
  expect(sent.map(({ path }) => path)).toEqual([`${accountPath}/Calls.json${query}`]);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
  'the limit %d is refused',
  async (limit) => {
    const sent = answerWith([]);
    const pages = telephony().pages('account-calls', {}, { limit });
    expect(parts(await errorOf(pages.next()))).toEqual({
      code: 'input',
      message: 'The option "limit" must be a whole number above 0.',
      field: 'limit',
    });
    expect(sent).toEqual([]);
  },
);

test('paging has no maximum number of pages while they have records', async () => {
  const sids = Array.from({ length: 105 }, (_, index) => `CA${index}`);
  const next = (index: number) => `${accountPath}/Calls.json?Page=${index + 1}`;
  answerWith(sids.map((sid, index) => page([sid], sid === sids.at(-1) ? null : next(index))));
  const read = await readAll(telephony().pages('account-calls', {}));
  expect(read.flatMap(([records]) => records)).toEqual(sids);
});

const recordsAreCorrect = 'The records shown are correct, but there may be more.';
const sameTwice = `The service returned the same page twice. ${recordsAreCorrect}`;
const outside = `The service returned a next page outside this account. It was not read. ${recordsAreCorrect}`;

test.each([
  ['another origin', 'https://elsewhere.test/2010-04-01/Accounts/AC1/Calls.json', outside],
  ['another origin without a scheme', '//elsewhere.test/x', outside],
  ['our account at another origin', `https://elsewhere.test${second}`, outside],
  ['a name that looks alike', `https://service.test.elsewhere.test${second}`, outside],
  ['credentials of its own', `https://me:secret@service.test${second}`, outside],
  ['a user of its own', `https://me@service.test/twilio${second}`, outside],
  ['another scheme', 'file:///etc/passwd', outside],
  ['another account', '/2010-04-01/Accounts/AC2/Calls.json', outside],
  ['another account with the same prefix', `${accountPath}1/Calls.json`, outside],
  ['a path that leaves the account', `${accountPath}/../AC2/Calls.json`, outside],
  ['the account alone', `/x${accountPath}/`, outside],
  ['a relative path that leaves the account', '../AC2/Calls.json', outside],
  ['an encoded path that leaves the account', '%2e%2e/AC2/Calls.json', outside],
  ['another host behind backslashes', '\\\\elsewhere.test\\x', outside],
  ['the same page', `${accountPath}/Calls.json`, sameTwice],
  ['the same page with a fragment', '#2', sameTwice],
  [
    'not a URL',
    { page: 2 },
    `The service returned an invalid URL for the next page. ${recordsAreCorrect}`,
  ],
  [
    'too long',
    `${second}&${'x'.repeat(4_000)}`,
    `The service returned a URL for the next page that is too long. ${recordsAreCorrect}`,
  ],
])('a bad next page, %s, fails only when the caller needs it', async (_, next, message) => {
  const sent = answerWith([page(['CA1'], next)]);
  const pages = telephony().pages('account-calls', {});
  expect(await pages.next()).toMatchObject({ value: { records: [{ sid: 'CA1' }], more: true } });
  expect(parts(await errorOf(pages.next()))).toEqual({
    code: 'bad-answer',
    message,
    request: 'GET /Calls.json',
  });
  expect(sent).toHaveLength(1);
});

test('a bad next page does not affect run, a reached limit or the connection test', async () => {
  const sent = answerWith(Array(3).fill(page(['CA1'], 'https://elsewhere.test/')));
  const { records, more } = await telephony().run('account-calls', {});
  expect([records.map(({ sid }) => sid), more]).toEqual([['CA1'], true]);
  expect(await readAll(telephony().pages('account-calls', {}, { limit: 1 }))).toEqual([
    [['CA1'], true],
  ]);
  expect((await telephony().test()).outcome).toBe('works');
  expect(sent).toHaveLength(3);
});

test('the error for a bad next page after an empty page does not mention earlier records', async () => {
  answerWith([page([], 'https://elsewhere.test/')]);
  expect((await errorOf(telephony().run('account-calls', {}))).message).toBe(
    'The service returned a next page outside this account. It was not read.',
  );
});

test('a list that loops fails after its last new page', async () => {
  answerWith([page(['CA1'], second), page(['CA2'], second)]);
  const pages = telephony().pages('account-calls', {});
  expect((await pages.next()).value?.records).toMatchObject([{ sid: 'CA1' }]);
  expect((await pages.next()).value?.records).toMatchObject([{ sid: 'CA2' }]);
  expect((await errorOf(pages.next())).code).toBe('bad-answer');
});

// The base URL, the `next_page_uri`, and the URL of the next request.
const gateways: [basePath: string, next: string, read: string][] = [
  ['/api/laml', `/api/laml${second}`, `/api/laml${second}`],
  ['/twilio', second, `/twilio${second}`],
  ['/twilio', `/twilio${second}`, `/twilio${second}`],
  ['/a/b', `/api/laml${second}`, `/a/b${second}`],
  ['', `/api/laml${second}`, second],
  ['/twilio', `${account.baseUrl}${second}`, `/twilio${second}`],
  ['', `${account.baseUrl}${second}`, second],
  ['', '?Page=1', `${accountPath}/Calls.json?Page=1`],
  ['/twilio', '?Page=1&PageToken=PA1', `/twilio${second}`],
  ['/twilio', 'Calls.json?Page=1&PageToken=PA1#top', `/twilio${second}`],
  ['/twilio', './Calls.json?Page=1', `/twilio${accountPath}/Calls.json?Page=1`],
];

test.each(gateways)(
  'a service at "%s" with the next page %s gets a request for %s',
  async (path, next, read) => {
    const sent = answerWith([page(['CA1'], next), page(['CA2'])]);
    const behind = connect({ ...account, baseUrl: account.baseUrl + path });
    expect(await readAll(behind.pages('account-calls', {}))).toEqual([
      [['CA1'], true],
      [['CA2'], false],
    ]);
    expect(sent.map((one) => one.path)).toEqual([`${path}${accountPath}/Calls.json`, read]);
  },
);

test('an operation that returns one record cannot be paged', async () => {
  const id: string = 'view-a-call';
  const pages = telephony().pages(id, { callSid: 'CA1' });
  expect(parts(await errorOf(pages.next()))).toEqual({
    code: 'input',
    message: '"View a Call" does not return a list.',
  });
});
