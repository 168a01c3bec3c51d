import type { Sandbox } from '../../demo/sandbox/index.ts';
import { errorPayload, get, given, pathOf, post, sandboxFor } from './client.ts';

async function allPages(sandbox: Sandbox, first: string, list: string) {
  const sids: string[] = [];
  let pages = 0;
  for (let next: string | null = first; next; pages++) {
    const { body } = await get(sandbox, next);
    sids.push(...body[list].map(({ sid }: { sid: string }) => sid));
    next = body.next_page_uri;
  }
  return { sids, pages };
}

test.each([
  ['', '?PageSize=50&Page=0', 50],
  ['?PageSize=7', '?PageSize=7&Page=0', 7],
  ['?PageSize=59', '?PageSize=59&Page=0', 59],
  ['?PageSize=118', '?PageSize=118&Page=0', 118],
  ['?PageSize=1000', '?PageSize=1000&Page=0', 1000],
])('the sandbox pages through all calls with "%s"', async (query, uri, size) => {
  const sandbox = await sandboxFor();
  expect(sandbox.calls).toHaveLength(118);
  const pages = Math.ceil(118 / size);
  const { body } = await get(sandbox, `/Calls.json${query}`);
  const path = pathOf(sandbox, '/Calls.json');
  const last = sandbox.calls[size - 1];
  expect(body).toEqual({
    calls: sandbox.calls.slice(0, size),
    page: 0,
    page_size: size,
    start: 0,
    end: Math.min(size, 118) - 1,
    uri: path + uri,
    first_page_uri: path + uri,
    next_page_uri:
      pages > 1 ? `${path}?PageSize=${size}&Page=1&PageToken=PA${given(last).sid}` : null,
    previous_page_uri: null,
  });
  const sids = sandbox.calls.map(({ sid }) => sid);
  expect(await allPages(sandbox, path + query, 'calls')).toEqual({ sids, pages });
});

test('pages keep their filters and link to the previous page', async () => {
  const sandbox = await sandboxFor({ basePath: '/api/laml' });
  const path = pathOf(sandbox, '/Calls.json');
  const wanted = sandbox.calls.filter(({ status }) => status === 'completed');
  const { body: first } = await get(sandbox, '/Calls.json?PageSize=10&Status=completed');
  const { body: second } = await get(sandbox, first.next_page_uri);
  const [tenth, eleventh, last] = [wanted[9], wanted[10], wanted[19]].map(given);
  const page = (number: number, token: string | undefined) =>
    `${path}?Status=completed&PageSize=10&Page=${number}&PageToken=${token}`;
  expect(second).toEqual({
    calls: wanted.slice(10, 20),
    page: 1,
    page_size: 10,
    start: 10,
    end: 19,
    uri: page(1, `PA${tenth?.sid}`),
    first_page_uri: `${path}?Status=completed&PageSize=10&Page=0`,
    next_page_uri: page(2, `PA${last?.sid}`),
    previous_page_uri: page(0, `PB${eleventh?.sid}`),
  });
  const { body: back } = await get(sandbox, second.previous_page_uri);
  expect(back.calls).toEqual(first.calls);
});

test('a record that arrives between two pages does not shift the next page', async () => {
  const sandbox = await sandboxFor();
  const before = sandbox.recordings.map(({ sid }) => sid);
  const { body: first } = await get(sandbox, '/Recordings.json?PageSize=5');
  const call = given(sandbox.calls.find(({ status }) => status === 'in-progress'));
  expect((await post(sandbox, `/Calls/${call.sid}/Recordings.json`)).status).toBe(201);
  const rest = await allPages(sandbox, first.next_page_uri, 'recordings');
  expect(rest.sids).toEqual(before.slice(5));
});

test('an empty list has no further pages', async () => {
  const sandbox = await sandboxFor();
  const path = `${pathOf(sandbox, '/Calls.json')}?Status=lost&PageSize=50&Page=0`;
  expect((await get(sandbox, '/Calls.json?Status=lost')).body).toEqual({
    ...{ calls: [], page: 0, page_size: 50, start: 0, end: 0 },
    ...{ uri: path, first_page_uri: path, next_page_uri: null, previous_page_uri: null },
  });
});

test.each(['0', '1001', '-1', '2.5', 'ten', ''])(
  'the sandbox refuses page size "%s"',
  async (size) => {
    const sandbox = await sandboxFor();
    expect(await get(sandbox, `/Calls.json?PageSize=${size}`)).toEqual(
      errorPayload(20007, 400, `Page size '${size}' is not between 1 and 1000`),
    );
  },
);

test.each(['Page=1', 'Page=1&PageToken=', 'Page=1&PageToken=PACA0', 'Page=-1&PageToken=KNOWN'])(
  'the sandbox refuses a page without a valid token: "%s"',
  async (query) => {
    const sandbox = await sandboxFor();
    const known = query.replace('KNOWN', `PA${sandbox.calls[0]?.sid}`);
    const refused = errorPayload(21481, 400, 'Invalid PageToken');
    expect(await get(sandbox, `/Calls.json?${known}`)).toEqual(refused);
  },
);
