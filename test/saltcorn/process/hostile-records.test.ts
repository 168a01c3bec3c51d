import pack from '../../../demo/saltcorn/desk.json';
import { inspection, makeHostile, payloads } from '../../support/hostile.ts';
import { type Host, type Loose, startSaltcorn } from '../host.ts';
import { deskPaths, installDesk } from '../installed-desk.ts';
import { startWebsite, type Visitor } from '../website.ts';
import { openCrashLog } from './crash-log.ts';

const encoded = encodeURIComponent;
const customers = payloads.map((name, index) => ({
  name,
  phone: payloads[(index + 1) % payloads.length] ?? '',
}));

let host: Host;
let visitor: Visitor;
beforeAll(async () => {
  host = await startSaltcorn();
  openCrashLog();
  await installDesk(customers);
  const { calls, recordings, messages } = host.sandbox;
  makeHostile(calls.slice(0, payloads.length), ['sid']);
  makeHostile(calls.slice(payloads.length));
  makeHostile(recordings.slice(0, payloads.length), ['sid', 'status', 'call_sid']);
  for (const recording of recordings.slice(0, payloads.length))
    recording.call_sid = calls[0]?.sid ?? '';
  makeHostile(recordings.slice(payloads.length));
  makeHostile(messages);
  visitor = await (await startWebsite()).user();
});

const inspect: (document: Loose) => string[] = new Function(`return ${inspection}`)();

/** Parses a page, or a part of one, and expects that it contains no code of a payload. */
function parseSafe(html: string): Loose {
  const { document } = new (require('jsdom').JSDOM)(html).window;
  // Inspects code that runs at once like code that runs at an event.
  for (const script of document.querySelectorAll('script:not([src])'))
    script.setAttribute('oninspected', script.textContent);
  expect(inspect(document)).toEqual([]);
  return document;
}

async function open(path: string) {
  const page = parseSafe(await visitor.get(path));
  expect(page.querySelector('a[href="/auth/logout"]')).not.toBeNull();
  return page;
}
const textOf = (document: Loose, selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

describe('no code in a record runs', () => {
  it.each(deskPaths)('on %s', async (path) => {
    await open(path);
  });

  it.each(payloads)('on the page of a call, whose caller is %s', async (payload) => {
    const call = host.sandbox.calls.find(({ from }) => from === payload);
    const page = await open(`/view/Call?sid=${call?.sid}`);
    expect(textOf(page, 'h1')).toEqual([`Call from ${payload}`]);
    const details = textOf(page, '.card').join();
    const { status, direction, to, caller_name, forwarded_from, answered_by } = call as Loose;
    for (const text of [payload, status, direction, to, caller_name, forwarded_from, answered_by])
      expect(details).toContain(text);
  });

  it.each(payloads)('on the page of a customer, who is called %s', async (payload) => {
    const id = customers.findIndex(({ name }) => name === payload) + 1;
    // In a browser, a list for a phone number that isn't one is empty, with a notice.
    const page = parseSafe(await visitor.get(`/view/Customer?id=${id}`, { accept: 'text/html' }));
    expect(textOf(page, 'h1')).toEqual([payload]);
  });
});

test('a list shows code in records as text', async () => {
  const cells = textOf(await open('/page/desk'), '.card td:first-child');
  expect(cells).toEqual(host.sandbox.calls.slice(0, 20).map(({ from }) => from));
});

test.each(payloads)('no code runs in a list that is filtered by %s', async (payload) => {
  for (const path of ['/page/desk', '/page/recordings']) {
    await open(`${path}?from=${encoded(payload)}&status=${encoded(payload)}`);
  }
});

test('a filter offers the known statuses only', async () => {
  const page = await open('/page/desk');
  expect(textOf(page, '.card .form-check')).toEqual([
    ...['queued', 'ringing', 'in-progress', 'completed', 'busy', 'failed', 'no-answer'],
    'canceled',
  ]);
});

const form = pack.views.find(({ viewtemplate }) => viewtemplate === 'Edit') as Loose;
const [, rndid = ''] = /"rndid":"(\w+)"/.exec(JSON.stringify(form)) ?? [];

test.each(payloads)('no code runs in the toast after an SMS to %s', async (payload) => {
  await visitor.get('/page/desk');
  const sms = { from: '+14155550100', to: payload, body: payload };
  const path = `/view/${encoded(form.name)}/run_action`;
  const { notify, notify_success } = await visitor.post(path, { rndid, ...sms });
  // Saltcorn shows it as HTML.
  // An error cuts a long number.
  expect(parseSafe(notify ?? notify_success).body.textContent).toContain(payload.slice(0, 50));
});

const previews = pack.views.flatMap(({ table, configuration }: Loose) =>
  (configuration.columns ?? []).flatMap(
    ({ field_name, join_field, fieldview, join_fieldview }: Loose) =>
      field_name || join_field
        ? [
            `/field/preview/${encoded(table)}/${field_name ?? join_field}/${fieldview ?? join_fieldview}`,
          ]
        : [],
  ),
);
const builders = [
  ...pack.views.map(({ name }) => `/viewedit/config/${encoded(name)}`),
  ...pack.pages.map(({ name }) => `/pageedit/edit/${encoded(name)}`),
];

describe('no code in a record runs in a builder', () => {
  it.each(builders)('at %s', async (path) => {
    await open(path);
  });

  it.each([...new Set(previews)])('with the preview %s', async (path) => {
    parseSafe(await visitor.post(path, { configuration: {} }));
  });
});
