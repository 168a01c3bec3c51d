import { readDocument, sectionOf, snippetsOf, typedIn } from '../../support/document.ts';
import { makeHostile, watchForHostility } from '../../support/hostile.ts';
import { caller, recordingsFrom } from '../../support/of-caller.ts';
import { until } from '../../support/until.ts';
import { type OpenSaltcorn, openSaltcorn } from '../open-saltcorn.ts';
import { builderIn, type SaltcornBuilder } from './saltcorn-builder.ts';

const recipe = (heading: string) =>
  sectionOf(readDocument('docs/builders/saltcorn-recipes.md'), heading);
const [button = {}] = typedIn(recipe('Missed calls'));
const [formula = ''] = snippetsOf(recipe('Missed calls'), 'js');
const [fieldviews = {}] = typedIn(recipe('A desk for recordings'));

// One story: each test is a step of a recipe.
describe('following the recipes, a user', () => {
  let saltcorn: OpenSaltcorn;
  let builder: SaltcornBuilder;

  beforeAll(async () => {
    saltcorn = await openSaltcorn('recipes', {}, { now: new Date('2026-11-20T15:42:00Z') });
    builder = builderIn(saltcorn);
    await saltcorn.logIn();
  });

  const columns = () => saltcorn.browser.page.getByText(/^Column \d+:/);

  /** Opens a page with the filter, and returns its input. A failure quotes the page's text. */
  async function openFilter(path: string) {
    const { page } = saltcorn.browser;
    await saltcorn.go(path);
    const input = page.getByRole('textbox');
    await input.waitFor({ timeout: 30_000 }).catch(async () => {
      throw new Error(`${path} has no filter, but: ${await page.content()}`);
    });
    return input;
  }

  /** Deletes the other columns of a list. */
  async function keepColumns(labels: string[]) {
    for (let index = (await columns().count()) - 1; index >= 0; index -= 1) {
      const column = columns().nth(index);
      const label = (await column.textContent())?.replace(/^Column \d+:\s*/, '').trim() ?? '';
      if (labels.includes(label)) continue;
      const last = columns().nth((await columns().count()) - 1);
      await column.click();
      await builder.sidebar.getByText('Delete').click();
      await last.waitFor({ state: 'detached' });
    }
  }

  /** Opens the options of a list. */
  async function openOptions() {
    await builder.next(/Default state \(step/);
    await saltcorn.press(/^Next/, /Options \(step/);
  }

  test('creates a table and a list of missed calls with a button', async () => {
    const { page, screenshot } = saltcorn.browser;
    await builder.createTable('Missed calls', 'Telephony: Calls by caller id');
    await builder.createView('Missed calls', 'List', 'Missed calls');
    await keepColumns(['From', 'To', 'Status', 'Started']);
    await page.getByText('Add column').click();
    await builder.drag('Action button', builder.columns().last());
    await builder.choose('Send SMS');
    await builder.sidebar
      .locator('xpath=.//label[starts-with(., "Label")]/following::input[1]')
      .fill(button.Label ?? '');
    const { From: from, To: to, Body: body } = button;
    await builder.configure({ from, to, body });
    await screenshot('button');
    await openOptions();
    const group = page.locator('.form-group', { hasText: 'Row inclusion formula' });
    // An editor that is still loading loses typed text, and its autosave would overwrite what Finish saves.
    await until(async () => {
      const saved = page.waitForResponse(
        (response) =>
          response.url().includes('/saveconfig/') &&
          Boolean(response.request().postData()?.includes('no-answer')),
        { timeout: 10_000 },
      );
      await group.locator('.monaco-editor').click();
      await group.locator('.monaco-editor.focused').waitFor();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(formula.trim());
      return saved.then(
        () => true,
        () => false,
      );
    });
    await page.waitForFunction('$.active === 0');
    await screenshot('options');
    await saltcorn.press(/^Finish/, 'Your views');
  });

  test('sees only the missed calls, newest first', async () => {
    await saltcorn.go('/view/Missed%20calls');
    await saltcorn.browser.picture('recipe-missed-calls');
    const missed = saltcorn.sandbox.calls.filter(
      ({ direction, status }) =>
        direction === 'inbound' && (status === 'no-answer' || status === 'busy'),
    );
    expect(missed.length).toBeGreaterThan(2);
    expect(
      await Promise.all(
        (await saltcorn.rows().all()).map((row) => row.locator('td').allInnerTexts()),
      ),
    ).toEqual(
      missed
        .slice(0, 20)
        .map(({ status, from, to }) => expect.arrayContaining([status, from, to, button.Label])),
    );
  });

  test('texts the last caller', async () => {
    const [, from, to] = await saltcorn.rows().first().locator('td').allInnerTexts();
    await saltcorn
      .rows()
      .first()
      .getByText(button.Label ?? '')
      .click();
    await saltcorn.toast('success').waitFor();
    expect(saltcorn.sandbox.messages[0]).toMatchObject({ from: to, to: from, body: button.Body });
  });

  test('creates a table and a list of recordings with a player', async () => {
    await builder.createTable('Recordings', 'Telephony: Recordings by caller id');
    await builder.createView('Recordings', 'List', 'Recordings');
    await keepColumns(Object.keys(fieldviews));
    for (const [index, fieldview] of Object.values(fieldviews).entries()) {
      await builder.columns().nth(index).locator('> *').first().click();
      await builder.sidebar.locator('select.fieldview').selectOption(fieldview);
    }
    await saltcorn.browser.screenshot('columns');
    await openOptions();
    await saltcorn.press(/^Finish/, 'Your views');
  });

  test('creates a filter for the caller', async () => {
    await builder.createView('Caller', 'Filter', 'Recordings');
    await builder.drag('Field');
    await builder.sidebar.locator('select.field').selectOption({ label: 'From' });
    await builder.sidebar.locator('select.fieldview').selectOption('edit');
    await builder.next('Your views');
    await openFilter('/view/Caller');
  });

  test('puts the list and the filter on a page', async () => {
    const { screenshot } = saltcorn.browser;
    await builder.createPage('recordings');
    for (const view of ['Recordings [List', 'Caller [Filter']) {
      await builder.drag('Embed a view');
      await builder.choose(view);
    }
    await screenshot('page');
    await builder.finishPage();
  });

  test('plays the recordings of a caller', async () => {
    const { page, picture } = saltcorn.browser;
    const input = await openFilter('/page/recordings');
    await input.fill(caller);
    await saltcorn.reloading(() => input.press('Enter'));
    const theirs = recordingsFrom(saltcorn.sandbox, caller);
    const players = page.locator('tbody audio');
    await players.nth(theirs.length - 1).waitFor();
    await picture('recipe-recordings');
    expect(await players.count()).toBe(theirs.length);
    const audio = await page.request.get(
      `${saltcorn.url}${await players.first().getAttribute('src')}`,
    );
    expect(audio.headers()['content-type']).toContain('audio/');
  });

  test('sees code in a record as text', async () => {
    const { page, screenshot } = saltcorn.browser;
    const { calls, recordings } = saltcorn.sandbox;
    const { found, ran } = await watchForHostility(page);
    for (const call of calls) Object.assign(call, { status: 'busy', direction: 'inbound' });
    makeHostile(calls, ['status', 'direction']);
    makeHostile(recordings);
    for (const place of ['/view/Missed%20calls', '/page/recordings']) {
      await saltcorn.go(place);
      await screenshot('code');
      expect({ place, found: await found(), ran }).toEqual({ place, found: [], ran: [] });
    }
    await saltcorn.go('/view/Missed%20calls');
    const cells = await saltcorn.rows().locator('td').allTextContents();
    expect(cells).toEqual(expect.arrayContaining([calls[0]?.from, calls[0]?.to]));
  });
});
