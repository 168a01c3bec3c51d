import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { documentedRequests } from '../documented-requests.ts';
import { artefact, installPlugin, startSaltcorn } from '../host.ts';
import { installDesk } from '../installed-desk.ts';
import { fillWithLongLists } from '../long-lists.ts';
import { startWebsite, type Visitor } from '../website.ts';

let sandbox: Sandbox;
let visitor: Visitor;
/** The prefix of the parameters for a list's page and order. */
let listName: string;
beforeAll(async () => {
  await startSaltcorn();
  sandbox = await openSandbox({
    now: new Date('2026-11-20T15:42:00Z'),
    ignoreRecordingsFrom: false,
  });
  await forget();
  await installDesk();
  visitor = await (await startWebsite()).user();
  listName = /data-sc-state-hash="([^"]+)"/.exec(await visitor.get(list))?.[1] ?? '';
});

/** Installs the plugin again, which clears its cache. */
async function forget() {
  const { username, password, url: baseUrl } = sandbox;
  // A slow machine can take longer than the documented five seconds to open a page twice.
  await installPlugin(artefact, { username, password, baseUrl, freshSeconds: 300 });
  takeRequests(sandbox);
}

/** Opens a page. A browser would send no further requests to the plugin: players load only when played. */
async function open(path: string) {
  const html = await visitor.get(path);
  const parts = html.match(/<[^>]* src="\/telephony[^>]*>/g) ?? [];
  expect(parts.filter((part) => !/^<audio .*preload="none"/.test(part))).toEqual([]);
}

const list = '/view/List%20of%20calls';
const recordedCall = () => sandbox.recordings.at(-1)?.call_sid;
const lastPage = () => Math.ceil(sandbox.calls.length / 20);
const openings: [what: string, path: () => string][] = [
  ['a list of calls', () => list],
  ['its second page', () => `${list}?_${listName}_page=2&_${listName}_pagesize=20`],
  ['its last page', () => `${list}?_${listName}_page=${lastPage()}&_${listName}_pagesize=20`],
  ['the list by status', () => `${list}?status=busy`],
  ['the list by recipient', () => `${list}?to=%2B14155550100`],
  ['the list of calls before a day', () => `${list}?_todate_startTime=2026-11-12`],
  ['the list in another order', () => `${list}?_${listName}_sortby=duration`],
  [
    'the list filtered by the name of a customer',
    () => `${list}?fromRow.Customers-%3Ename=Ada%20Lovelace`,
  ],
  ['a list of recordings with their calls and customers', () => '/view/List%20of%20recordings'],
  ['a call with its recordings', () => `/view/Call?sid=${recordedCall()}`],
  ['a customer with their messages, calls and recordings', () => '/view/Customer?id=1'],
];

/** How many requests it takes to open a page for the first time, and again. */
async function requestsFor(path: () => string) {
  const opened = path();
  await forget();
  await open(opened);
  const first = takeRequests(sandbox).length;
  await open(opened);
  return [first, takeRequests(sandbox).length];
}

// More if the service ignores the caller of recordings, as documented.
describe('as many requests as documented for', () => {
  it.each(openings)('%s', async (what, path) => {
    expect(await requestsFor(path)).toEqual(documentedRequests().get(what)?.slice(0, 2));
  });
});

describe('with 10,000 calls and 3,000 recordings, as many requests as documented for', () => {
  beforeAll(() => fillWithLongLists(sandbox));

  it.each(openings)('%s', async (what, path) => {
    expect(await requestsFor(path)).toEqual([documentedRequests().get(what)?.[2], 0]);
  });
});

test('counts the requests of every documented page', () => {
  // For the builder, see browser/new-list.test.ts.
  const tested = [...openings.map(([what]) => what), 'the builder of a new list'];
  expect([...documentedRequests().keys()].sort()).toEqual(tested.sort());
});
