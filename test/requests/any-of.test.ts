import { connect } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { errorOf, parts } from './errors.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

const list = 'calls-by-caller-id';
const url = (query: string) => `${accountPath}/Calls.json?${query}`;

describe('with a service', () => {
  isolate();

  /** A page of calls, each with its hour as its SID. */
  const page = (status: string, hours: string[], next: string | null = null) => ({
    status: 200,
    body: {
      calls: hours.map((hour) => ({
        ...{ sid: `CA${hour}`, status },
        date_created: `Fri, 20 Nov 2026 ${hour}:00:00 +0000`,
      })),
      next_page_uri: next,
    },
  });

  test('a list of several statuses is newest first, and reads each list only as far as needed', async () => {
    const second = url('Status=busy&Page=1&PageToken=PA1');
    const sent = answerWith([
      page('busy', ['10', '08'], second),
      page('no-answer', ['09', '07']),
      page('busy', ['06']),
    ]);
    const read: [string[], boolean, number][] = [];
    const input = { status: ['busy', 'no-answer'] } as const;
    for await (const { records, more } of telephony().pages(list, input))
      read.push([records.map(({ sid }) => sid), more, sent.length]);
    expect(read).toEqual([
      [['CA10', 'CA09', 'CA08'], true, 2],
      [['CA07', 'CA06'], false, 3],
    ]);
    const paths = [url('Status=busy'), url('Status=no-answer'), second];
    expect(sent.map(({ path }) => path)).toEqual(paths);
  });

  test('a call whose status changes between two requests is listed once', async () => {
    answerWith([page('busy', ['10', '08']), page('failed', ['09', '08', '07'])]);
    const { records } = await telephony().run(list, { status: ['busy', 'failed'] });
    expect(records.map(({ sid }) => sid)).toEqual(['CA10', 'CA09', 'CA08', 'CA07']);
  });

  test.each([
    ['one value', { status: ['busy'] }, ['Status=busy']],
    ['a repeated value', { status: ['busy', 'busy'] }, ['Status=busy']],
    [
      'another filter',
      { status: ['busy', 'failed'], from: '+14155550100' },
      ['Status=busy&From=%2B14155550100', 'Status=failed&From=%2B14155550100'],
    ],
  ])('a list with %s sends the fewest requests', async (_, input, queries) => {
    const sent = answerWith([page('busy', []), page('failed', [])].slice(0, queries.length));
    for await (const _record of telephony().records(list, input as object));
    expect(sent.map(({ path }) => path)).toEqual(queries.map(url));
  });

  test('a limit ends a list of several statuses', async () => {
    answerWith([page('busy', ['10', '08']), page('failed', ['09', '07'])]);
    const pages = telephony().pages(list, { status: ['busy', 'failed'] }, { limit: 3 });
    const { value } = await pages.next();
    expect(value).toMatchObject({
      ...{ records: [{ sid: 'CA10' }, { sid: 'CA09' }, { sid: 'CA08' }], more: true },
    });
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test('a filter can be a getter', async () => {
    const sent = answerWith([page('busy', []), page('failed', [])]);
    class Missed {
      get status() {
        return ['busy', 'failed'] as const;
      }
      get from() {
        return '+14155550100';
      }
    }
    await telephony().run(list, new Missed());
    const queries = ['Status=busy&From=%2B14155550100', 'Status=failed&From=%2B14155550100'];
    expect(sent.map(({ path }) => path)).toEqual(queries.map(url));
  });

  test('a filter without choices cannot have several values', async () => {
    const sent = answerWith([]);
    const error = await errorOf(telephony().run(list, { from: ['+14155550100'] } as object));
    expect(parts(error)).toMatchObject({ code: 'input', field: 'from' });
    expect(sent).toEqual([]);
  });

  const empty = '"Status" is empty. Give it a value, or leave out "status" to list all.';
  test.each([
    ['no values', [], empty],
    ['an empty value', ['busy', ''], empty],
    ['a missing value', ['busy', null], empty],
    ['an unknown value', ['busy', 'lost'], expect.stringMatching(/^"Status" must be one of/)],
    ['a list in a list', ['busy', ['failed']], expect.stringMatching(/^"Status" must be/)],
  ])('a filter with %s is an error before any request', async (_, status, message) => {
    const sent = answerWith([]);
    const error = await errorOf(
      telephony()
        .pages(list, { status } as object)
        .next(),
    );
    expect(parts(error)).toEqual({ code: 'input', field: 'status', message });
    expect(sent).toEqual([]);
  });
});

const statuses = ['completed', 'busy', 'no-answer', 'failed', 'canceled'] as const;
const subsets = statuses.flatMap((one, index) =>
  statuses.slice(index + 1).map((other) => [one, other] as const),
);

test.each(subsets)('%s or %s are the same calls as in the whole list', async (...status) => {
  const { url: baseUrl, username, password } = await openSandbox();
  const account = connect({ username, password, baseUrl });
  const sidsOf = async (input: object) => {
    const sids: unknown[] = [];
    for await (const { sid, status: found } of account.records(list, input))
      if (status.some((one) => one === found)) sids.push(sid);
    return sids;
  };
  const wanted = await sidsOf({});
  expect(wanted.length).toBeGreaterThan(0);
  expect(await sidsOf({ status, pageSize: 3 })).toEqual(wanted);
});
