import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorSentence } from '../../../src/builder.ts';
import { barriers } from '../../support/accessibility.ts';
import { readDocument, sectionOf, snippetsOf } from '../../support/document.ts';
import { gateIn } from '../../support/gate.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { button, embedded } from '../app.ts';
import { type OpenSaltcorn, openSaltcorn } from '../open-saltcorn.ts';
import { builderIn } from './saltcorn-builder.ts';

const everyone = 100;
const text = (name: string) => ({ name, label: name, type: 'String' });

/** The people that a button texts. One of them wants no messages. */
const people = [
  { name: 'Ada', phone: '+12025550101', wants: 'yes' },
  { name: 'Barbara', phone: '+12025550104', wants: 'yes' },
  { name: 'Edsger', phone: '+12025550103', wants: 'no' },
  { name: 'Grace', phone: '+12025550102', wants: 'yes' },
];

const sms = { from: '+14155550100', to: '{{ phone }}', body: 'Dear {{ name }}' };
const eachRow = { ...sms, rows_table: 'Customers', rows_of_page: true, rows_limit: 100 };
const all = button('Text them', 'Send SMS for each row', eachRow);
const outcomeColumns = {
  rows_of_page: false,
  rows_outcome: 'sms',
  rows_sid: 'sms_sid',
  rows_time: 'sms_time',
};
const campaign = button('Send to all', 'Send SMS for each row', { ...eachRow, ...outcomeColumns });
const corrected = button('Text them', 'Send SMS for each row', {
  ...eachRow,
  body: 'Hi {{ name }}',
});
const one = button('Text one', 'Send SMS', { ...sms, to: '+12025550199', body: 'Hello' });

/** The settings above in the order of the form. */
const stored: [key: string, value: string | boolean][] = [
  ['rows_table', 'Customers'],
  ['from', '+14155550100'],
  ['to', '{{ phone }}'],
  ['body', 'Dear {{ name }}'],
  ['rows_of_page', false],
  ['rows_where', ''],
  ['rows_limit', '100'],
  ['rows_outcome', 'sms'],
  ['rows_sid', 'sms_sid'],
  ['rows_time', 'sms_time'],
];

const columns = ['name', 'phone', 'wants'];

const list = {
  ...{ name: 'people', viewtemplate: 'List', table: 'Customers', min_role: everyone },
  configuration: {
    columns: [
      ...columns.map((field_name) => ({ type: 'Field', field_name, fieldview: 'as_text' })),
      { ...all, type: 'Action' },
    ],
    layout: {
      list_columns: true,
      besides: [
        ...columns.map((field_name) => ({
          header_label: field_name,
          contents: { type: 'field', field_name, fieldview: 'as_text' },
        })),
        { contents: all },
      ],
    },
    default_state: { _header_filters: true, _order_field: 'name' },
  },
};

const shown: [field_name: string, fieldview: string, header_label: string][] = [
  ['name', 'as_text', 'Name'],
  ['phone', 'phone_link', 'Phone'],
  ['sms', 'status_badge', 'SMS'],
  ['sms_time', 'format', 'At'],
];
const dayAndTime = { configuration: { format: 'YYYY-MM-DD HH:mm' } };

const reached = {
  ...{ name: 'reached', viewtemplate: 'List', table: 'Customers', min_role: everyone },
  configuration: {
    columns: shown.map(([field_name, fieldview]) => ({
      ...{ type: 'Field', field_name, fieldview },
      ...dayAndTime,
    })),
    layout: {
      list_columns: true,
      besides: shown.map(([field_name, fieldview, header_label]) => ({
        header_label,
        contents: { type: 'field', field_name, fieldview, ...dayAndTime },
      })),
    },
    default_state: { _order_field: 'name' },
  },
};

const whoNot = sectionOf(readDocument('docs/builders/saltcorn-recipes.md'), 'Who did not get it?');
const [formula = ''] = snippetsOf(whoNot, 'js');

const messageColumns: [header_label: string, column: object][] = [
  ['Body', { type: 'Field', field_name: 'body', fieldview: 'as_text' }],
  ['Error code', { type: 'Field', field_name: 'errorCode', fieldview: 'error_in_words' }],
  ['Created', { type: 'Field', field_name: 'dateCreated', fieldview: 'format', ...dayAndTime }],
  ['Name', { type: 'JoinField', join_field: 'toRow.name' }],
];

const notDelivered = {
  ...{ name: 'Not delivered', viewtemplate: 'List', table: 'Sent messages', min_role: 1 },
  configuration: {
    columns: messageColumns.map(([, column]) => column),
    layout: {
      list_columns: true,
      besides: messageColumns.map(([header_label, column]) => ({
        header_label,
        contents: { ...column, type: 'field_name' in column ? 'field' : 'join_field' },
      })),
    },
    default_state: { include_fml: formula.trim() },
  },
};

const page = (name: string, ...above: object[]) => ({
  ...{ name, title: name, description: '', min_role: everyone, fixed_states: {} },
  ...{ layout: { above }, root_page_for_roles: [] },
});

/** Pages with batch buttons for a list, whose state is set in different ways. */
const pack = {
  tables: [
    {
      ...{ name: 'Customers', min_role_read: everyone, min_role_write: 1 },
      fields: [
        ...[...columns, 'sms', 'sms_sid'].map(text),
        { name: 'sms_time', label: 'sms_time', type: 'Date' },
      ],
    },
    {
      ...{ name: 'Sent messages', provider_name: 'Telephony: Account Messages' },
      provider_cfg: { which_columns: 'all', key_to: 'Customers.phone' },
      ...{ min_role_read: 1, min_role_write: 1, fields: [] },
    },
  ],
  views: [list, reached, notDelivered],
  pages: [
    page('shared', all, embedded('people')),
    page('local', all, embedded('people', 'local')),
    page('fixed', all, embedded('people', 'fixed', { wants: 'yes' })),
    page('corrected', corrected, embedded('people')),
    page('one', one),
    page('campaign', campaign, embedded('reached')),
  ],
  triggers: [
    {
      ...{ name: 'remind', action: 'Send SMS for each row', when_trigger: 'Never' },
      ...{ configuration: { ...eachRow, ...outcomeColumns }, min_role: 1 },
    },
    {
      ...{ name: 'flow', action: 'Workflow', when_trigger: 'Never' },
      ...{ configuration: {}, min_role: 1 },
    },
  ],
  config: { content_security_policy: 'Enabled' },
  ...{ plugins: [], roles: [], library: [], tags: [], models: [], model_instances: [] },
  ...{ event_logs: [], page_groups: [], code_pages: [] },
};

/**
 * How many progress requests were due or unanswered when the response to Stop arrived. Timers of the same length end in the order of
 * their start, and a timer that a response starts ends later.
 */
const looksAfterStop = `new Promise((counted) => {
  let count = 0;
  $(document).on('ajaxSuccess', (_, __, { url }) => {
    if (!url.endsWith('/stop')) return;
    // Without Stop itself.
    count = $.active - 1;
    $(document).on('ajaxSend', (_, __, { url }) => {
      count += url.endsWith('/progress');
    });
    setTimeout(() => counted(count), 700);
  });
})`;

/** Requests for the service's clock must not wait. */
const isSending = (path: string) => path.endsWith('/Messages.json');

describe('a user who runs an action for each row', () => {
  let saltcorn: OpenSaltcorn;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    const folder = temporaryFolder('bulk');
    const write = (name: string, content: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(content));
      return join(folder, name);
    };
    const sandbox = await openSandbox();
    proxy = await proxyTo(sandbox.url);
    saltcorn = await openSaltcorn(
      'bulk',
      { pack: write('pack.json', pack), customers: write('customers.json', people) },
      { sandbox: { ...sandbox, url: proxy.url } },
    );
    await saltcorn.logIn();
  });
  // A test that fails must not hold the requests of the next ones.
  afterEach(() => {
    proxy.handler = (_from, _to, forward) => forward();
  });
  beforeEach(() => {
    saltcorn.sandbox.messages.length = 0;
    saltcorn.sandbox.faults.clear();
  });

  const popup = () => saltcorn.browser.page.locator('#scmodal.show .modal-body');
  const sent = () => saltcorn.sandbox.messages.map(({ to }) => to).sort();
  const namesOf = (...wanted: string[]) =>
    people
      .filter(({ wants }) => wanted.includes(wants))
      .map(({ name, phone }) => `${name} (${phone})`);

  /** The names in the preview. */
  async function previewedNames(count: number) {
    await popup()
      .getByText(count === 1 ? 'Send 1 SMS' : `Send ${count} SMS`)
      .waitFor();
    expect(sent()).toEqual([]);
    return popup().locator('li').allTextContents();
  }

  /** The button above the list. */
  const button = () => saltcorn.browser.page.getByText('Text them').first();

  /** Presses it, and includes the rows that got the text in an earlier test. */
  async function pressAgain() {
    await button().click();
    await popup().getByLabel('Skip these rows').click();
  }

  /** The address of the batch in the dialog, which shows another one after a choice. */
  async function shownRun() {
    const id = await popup().locator('[id^="run-"]').last().getAttribute('id');
    return `/telephony/run/${id?.replace('run-', '')}`;
  }

  test('sees a preview of the rows in the list, even if the browser sends no referrer', async () => {
    const { page, screenshot } = saltcorn.browser;
    const answer = await saltcorn.go('/page/shared?wants=no');
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'self'");
    await page.evaluate(
      `document.head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">')`,
    );
    const pressed = page.waitForRequest('**/action/**');
    await button().click();
    expect(await (await pressed).headerValue('referer')).toBeNull();
    expect(await previewedNames(1)).toEqual(namesOf('no'));
    await screenshot('question');
    expect(await barriers(page, '#scmodal .modal-body')).toEqual([]);
  });

  test('sees a preview of the rows left after filtering a list with its own state', async () => {
    const { page } = saltcorn.browser;
    await saltcorn.go('/page/local');
    await button().click();
    expect(await previewedNames(4)).toEqual(namesOf('yes', 'no').sort());
    await popup().getByText('Cancel').click();
    await popup().waitFor({ state: 'hidden' });

    const filter = page.locator('thead th:nth-child(3) input');
    await filter.fill('no');
    await filter.press('Enter');
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/\/page\/local$/);
    await button().click();
    expect(await previewedNames(1)).toEqual(namesOf('no'));
  });

  test('sees a preview of the rows in a list with a fixed state', async () => {
    await saltcorn.go('/page/fixed?wants=no');
    await button().click();
    expect(await previewedNames(3)).toEqual(namesOf('yes').sort());
  });

  test('sees a preview of the rows in a list in a popup', async () => {
    const { page } = saltcorn.browser;
    await saltcorn.go('/page/shared');
    await page.evaluate("ajax_modal('/view/people?wants=yes')");
    await popup().getByText('Text them').first().click();
    expect(await previewedNames(3)).toEqual(namesOf('yes').sort());
  });

  test('sees a preview when testing a trigger', async () => {
    await saltcorn.go('/actions');
    const { page } = saltcorn.browser;
    await page.goto(`${saltcorn.url}/actions/testrun/1`);
    expect(await previewedNames(4)).toHaveLength(4);
  });

  test('gets one preview and starts one batch with double clicks', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/page/shared');
    let previews = 0;
    page.on('requestfinished', (request) => {
      if (request.method() === 'GET' && request.url().includes('/telephony/run/')) previews += 1;
    });
    await button().dblclick();
    // Each click shows the same preview, and the second one may come late.
    await until(() => previews === 2);
    expect(await previewedNames(4)).toHaveLength(4);
    const { x, y } = (await popup().getByText('Send 4 SMS').boundingBox()) ?? { x: 0, y: 0 };
    await popup().getByText('Send 4 SMS').dblclick();
    await popup().getByText('Send SMS: 4 sent.').waitFor();
    // A second click that comes late must not close the dialog.
    await page.mouse.click(x, y);
    expect(await popup().getByText('Send SMS: 4 sent.').isVisible()).toBe(true);
    await screenshot('done');
    expect(await barriers(page, '#scmodal .modal-body')).toEqual([]);
    expect(sent()).toEqual(people.map(({ phone }) => phone).sort());
  });

  test('sends themselves a test first, then the batch', async () => {
    const { page, screenshot } = saltcorn.browser;
    const number = popup().getByLabel('Your number');
    const result = popup().locator('.alert').last();
    await saltcorn.go('/page/shared?wants=no');
    await pressAgain();
    await popup().getByText('Send me a test').click();
    await result.getByText('Enter your number with its country code').waitFor();
    await number.fill('+1 202 555 0199');
    const gate = gateIn(proxy, (path) => path.endsWith('/Messages.json'));
    await number.press('Enter');
    await number.press('Enter');
    await popup().getByText('Testing…').waitFor();
    await gate.holds(1);
    const start = popup().getByText('Send 1 SMS');
    expect([await start.isDisabled(), await popup().getByText('Cancel').isDisabled()]).toEqual([
      true,
      false,
    ]);
    await gate.open();
    await result.getByText('Message to +12025550199 queued: “Dear Edsger”').waitFor();
    await screenshot('tested');
    expect(await barriers(page, '#scmodal .modal-body')).toEqual([]);
    expect(sent()).toEqual(['+12025550199']);

    await page.route('**/test', (route) => route.abort(), { times: 1 });
    await popup().getByText('Send me a test').click();
    await result.getByText('Saltcorn did not respond, so the outcome is unknown.').waitFor();
    await start.click();
    await popup().getByText('Send SMS: 1 sent.').waitFor();
    expect(sent()).toEqual(['+12025550103', '+12025550199']);
  });

  // Apart from the next test, because the plugin gives up a request without a response after 20 seconds.
  test('shows the progress of a batch', async () => {
    const { page, screenshot } = saltcorn.browser;
    const gate = gateIn(proxy, isSending);
    await saltcorn.go('/page/shared?wants=yes');
    await pressAgain();
    await popup().getByText('Send 3 SMS').click();
    await popup().getByText('0 of 3').waitFor();
    await gate.holds(3);
    await screenshot('progress');
    expect(await barriers(page, '#scmodal .modal-body')).toEqual([]);
    await page.route('**/progress', (route) => route.abort());
    await popup().getByText('Saltcorn is not responding. Trying again …').waitFor();
    await page.unroute('**/progress');
    await popup().getByText('0 of 3').waitFor();
    await gate.open();
    await popup().getByText('Send SMS: 3 sent').waitFor();
  });

  test('sees the beginning of the preview and of the progress in a small window', async () => {
    const { page } = saltcorn.browser;
    const top = async (text: string | RegExp) =>
      (await popup().getByText(text).boundingBox())?.y ?? Number.NaN;
    const gate = gateIn(proxy, isSending);
    await page.setViewportSize({ width: 900, height: 300 });
    await saltcorn.go('/page/shared?wants=yes');
    await pressAgain();
    await popup().getByText('Send 3 SMS').waitFor();
    expect(await top(/Send SMS for 3 rows/)).toBeGreaterThan(0);
    await popup().getByText('Send 3 SMS').click();
    await gate.holds(3);
    // A response may replace the counts while they are measured.
    await until(async () => (await top('0 of 3')) > 0);
    await gate.open();
    await popup().getByText('Send SMS: 3 sent').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('stops the batch and opens its result afterwards', async () => {
    const { page, screenshot } = saltcorn.browser;
    const gate = gateIn(proxy, isSending);
    const stop = popup().getByText('Stop', { exact: true });
    for (const path of ['**/progress', '**/stop'])
      await page.route(path, (route) => route.abort(), { times: 1 });
    await saltcorn.go('/page/shared?wants=yes');
    await pressAgain();

    // The preview shows the last batch.
    await popup().getByText('The last batch started on').waitFor();
    await screenshot('question-again');
    await popup().getByText('Send 3 SMS').click();
    await popup().locator('progress').waitFor();
    await gate.holds(3);
    const run = await shownRun();
    await page.waitForResponse('**/progress');
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/stop'));
    await stop.click();
    await lost;
    await stop.hover();
    await page.mouse.down();
    // The page shows the first response when the second one arrives.
    for (let looks = 0; looks < 2; looks += 1) await page.waitForResponse('**/progress');
    const looks = page.evaluate(looksAfterStop);
    await page.mouse.up();
    const stopping = popup().getByRole('button', { name: 'Stopping …', exact: true });
    expect(await stopping.isDisabled()).toBe(true);
    expect(await looks).toBe(1);
    for (let looks = 0; looks < 2; looks += 1) await page.waitForResponse('**/progress');
    expect(await stopping.isDisabled()).toBe(true);
    await screenshot('stopping');
    await gate.open();
    await popup().locator('.alert').waitFor();
    const [summary] = await popup().locator('.alert').allTextContents();
    expect(summary).toMatch(/^Send SMS: 3 sent/);
    await saltcorn.go(run);
    expect(await page.locator('.alert-success').textContent()).toBe(summary);
    await screenshot('afterwards');
  });

  // Apart from the test above, because the plugin gives up a request without a response after 20 seconds.
  test('sees in another tab that the batch is stopping', async () => {
    const { page } = saltcorn.browser;
    const gate = gateIn(proxy, isSending);
    await saltcorn.go('/page/shared?wants=yes');
    await pressAgain();
    await popup().getByText('Send 3 SMS').click();
    await gate.holds(3);
    const run = await shownRun();
    const otherTab = await page.context().newPage();
    await otherTab.goto(saltcorn.url + run);
    await otherTab.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await popup().getByText('Stop', { exact: true }).click();
    const stopping = otherTab.getByRole('button', { name: 'Stopping …', exact: true });
    await stopping.waitFor();
    expect(await stopping.isDisabled()).toBe(true);
    await gate.open();
    await otherTab.locator('.alert').waitFor();
    await otherTab.close();
  });

  test('decides whether a corrected text goes to the rows that got the other one', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/page/shared?name=Ada');
    await pressAgain();
    await popup().getByText('Send 1 SMS').click();
    await popup().getByText('Send SMS: 1 sent').waitFor();
    await saltcorn.go('/page/corrected?wants=yes');
    await button().click();
    const box = popup().getByLabel('Skip these rows');
    // Only the other preview changes the button; the checkbox changes with the click.
    const previews = (isSkipping: boolean) =>
      popup()
        .getByText('Send 3 SMS')
        .waitFor({ state: isSkipping ? 'detached' : 'visible' });
    await popup().getByText('sent another text to 3 of these rows').waitFor();
    const isSkipping = !(await box.isChecked());
    await box.click();
    await previews(isSkipping);
    await page.route('**/skipsChanged-*', (route) => route.abort(), { times: 1 });
    const lost = page.waitForEvent('requestfailed');
    await box.click();
    await lost;
    await until(async () => (await box.isEnabled()) && (await box.isChecked()) === isSkipping);
    await screenshot('another-text');
    expect(await barriers(page, '#scmodal .modal-body')).toEqual([]);
    await previews(isSkipping);
    await box.click();
    await previews(!isSkipping);
    expect(await box.isChecked()).toBe(!isSkipping);
  });

  test('resumes a campaign with the rows that failed', async () => {
    const { page, picture, screenshot } = saltcorn.browser;
    const outcomes = () => page.locator('tbody tr td:nth-child(3)').allTextContents();
    const sentRows = page.locator('tbody td:nth-child(3)').getByText('sent', { exact: true });
    /** Waits until the list behind the dialog shows the outcomes. */
    const send = async (count: number, said: string, all: number) => {
      await saltcorn.go('/page/campaign');
      await page.getByText('Send to all').click();
      expect(await previewedNames(count)).toHaveLength(count);
      await popup()
        .getByText(count === 1 ? 'Send 1 SMS' : `Send ${count} SMS`)
        .click();
      await popup().getByText(said).waitFor();
      await sentRows.nth(all - 1).waitFor();
    };
    saltcorn.sandbox.faults.add({ name: 'missing', method: 'POST' });
    await send(4, 'Send SMS: 3 sent, 1 failed.', 3);
    expect((await outcomes()).sort()).toEqual(['failed', 'sent', 'sent', 'sent']);
    await screenshot('outcomes-behind-dialog');
    await saltcorn.go('/page/campaign');
    await page.setViewportSize({ width: 900, height: 400 });
    await picture('recipe-campaign');
    await page.setViewportSize({ width: 1280, height: 900 });
    const reached = saltcorn.sandbox.messages.splice(0);
    await send(1, 'Send SMS: 1 sent', 4);
    expect(await outcomes()).toEqual(['sent', 'sent', 'sent', 'sent']);
    saltcorn.sandbox.messages.push(...reached);
    expect(sent()).toEqual(people.map(({ phone }) => phone).sort());

    // The service can still fail to deliver messages that it accepted.
    const fates = [
      { status: 'delivered', error_code: null },
      { status: 'undelivered', error_code: 30003 },
      { status: 'delivered', error_code: null },
      { status: 'failed', error_code: 30005 },
    ];
    for (const [index, { phone }] of people.entries())
      Object.assign(saltcorn.sandbox.messages.find(({ to }) => to === phone) ?? {}, fates[index]);
    await saltcorn.go('/view/Not%20delivered');
    await page.setViewportSize({ width: 900, height: 400 });
    await picture('recipe-not-delivered');
    await page.setViewportSize({ width: 1280, height: 900 });
    const shown = await page.locator('tbody tr').all();
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(
      (await Promise.all(shown.map((row) => row.locator('td').allTextContents()))).sort(),
    ).toEqual([
      ['Dear Barbara', `${errorSentence('30003')} (30003)`, day, 'Barbara'],
      ['Dear Grace', `${errorSentence('30005')} (30005)`, day, 'Grace'],
    ]);
  });

  test('sends one SMS with five fast clicks on a button', async () => {
    const { page } = saltcorn.browser;
    await saltcorn.go('/page/one');
    await page.getByText('Text one').click({ clickCount: 5 });
    await saltcorn.toast('success').waitFor();
    await page.waitForLoadState('networkidle');
    expect(sent()).toEqual(['+12025550199']);
  });

  test('continues a stopped batch in its dialog, with the filter of the page', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/page/shared');
    const phones = Array.from({ length: 7 }, (_, index) => `+120255502${10 + index}`);
    for (const phone of phones) {
      const added = page.waitForResponse('**/api/Customers');
      const row = { name: `P${phone.slice(-2)}`, phone, wants: 'maybe' };
      await page.evaluate(`ajax_post_json('/api/Customers', ${JSON.stringify(row)})`);
      await added;
    }
    await saltcorn.go('/page/shared?wants=maybe');
    await button().click();
    const gate = gateIn(proxy, isSending);
    await popup().getByText('Send 7 SMS').click();
    await gate.holds(5);
    const stopped = page.waitForResponse('**/stop');
    await popup().getByText('Stop', { exact: true }).click();
    await stopped;
    await gate.open();
    await popup().getByText('Send SMS: 5 sent, 2 not run.').waitFor();
    expect(await popup().getByText('press the button again').isVisible()).toBe(false);
    await screenshot('stopped');
    await popup().getByRole('button', { name: 'Continue' }).dblclick();
    await popup().getByText('Skipping 5 rows: already sent.').waitFor();
    await popup().getByText('Send 2 SMS').click();
    await popup().getByText('Send SMS: 2 sent, 5 skipped.').waitFor();
    const link = await page.locator('.sc-modal-linkout').getAttribute('href');
    await saltcorn.go(link ?? '');
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
  });

  /** The address of a trigger's settings. */
  async function settingsOf(trigger: string) {
    await saltcorn.go('/actions');
    const row = saltcorn.browser.page.locator('tr', { hasText: trigger });
    return row.locator('a[href*="/actions/configure/"]').first().getAttribute('href');
  }

  const forms: [of: string, form: string, open: () => Promise<void>][] = [
    [
      'button',
      '.builder-sidebar',
      async () => {
        await builderIn(saltcorn).open('/pageedit/edit/campaign');
        await saltcorn.browser.page
          .locator('#builder-main-canvas')
          .getByText('Send to all')
          .click();
      },
    ],
    [
      'trigger',
      'form[action*=configure]',
      async () => {
        await saltcorn.go((await settingsOf('remind')) ?? '');
      },
    ],
  ];

  test.each(forms)(
    'opens the stored settings of a %s: the table, the message, then which rows',
    async (of, form, open) => {
      const { page, screenshot } = saltcorn.browser;
      await open();
      const values = 'In the fields below, you can insert {{ id }}, {{ name }}, {{ phone }}';
      await page.locator(form).getByText(`Customers: ${values}`).waitFor();
      await screenshot(`settings-of-${of}`);
      const keys = stored.map(([key]) => key);
      expect(
        await page.evaluate(`[...document.querySelector('${form}').querySelectorAll('[name]')]
          .filter(({ name }) => ${JSON.stringify(keys)}.includes(name))
          .map(({ name, type, checked, value }) => [name, type === 'checkbox' ? checked : value])`),
      ).toEqual(stored);
    },
  );

  test.each(['Send SMS for each row', 'Send a Message for each row'])(
    'chooses the outcome columns of %s in a workflow, by table',
    async (action) => {
      const { page } = saltcorn.browser;
      await saltcorn.go((await settingsOf('flow'))?.replace('configure', 'stepedit') ?? '');
      const select = (name: string) => page.locator(`select[name=${name}]:visible`);
      await select('wf_action_name').selectOption(action);
      const texts = ['', 'name', 'phone', 'sms', 'sms_sid', 'wants'];
      for (const [table, columns] of [
        ['Customers', texts],
        ['Sent messages', ['']],
      ] as const) {
        await select('rows_table').selectOption(table);
        await until(
          async () =>
            String(await select('rows_outcome').locator('option').allTextContents()) ===
            String(columns),
        );
      }
    },
  );
});
