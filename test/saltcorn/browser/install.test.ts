import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { acceptedBy } from '../../support/accepted-by.ts';
import { root } from '../../support/root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type OpenSaltcorn, openSaltcorn } from '../open-saltcorn.ts';
import { type SaltcornSettings, settingsIn } from '../saltcorn-settings.ts';
import { builderIn, type SaltcornBuilder } from './saltcorn-builder.ts';

// The steps of docs/builders/saltcorn.md, and its pictures.
describe('installing the plugin in Saltcorn, a user', () => {
  let saltcorn: OpenSaltcorn;
  let settings: SaltcornSettings;
  let builder: SaltcornBuilder;
  let folder: string;

  beforeAll(async () => {
    folder = join(temporaryFolder('install'), 'saltcorn');
    cpSync(join(root, 'dist/saltcorn'), folder, { recursive: true });
    saltcorn = await openSaltcorn('install-saltcorn', {}, { isBare: true });
    settings = settingsIn(saltcorn);
    builder = builderIn(saltcorn);
    await show(900, 560);
    await saltcorn.logIn();
  });

  /** Sets the size of the window, and so of the next pictures. */
  const show = (width: number, height: number) =>
    saltcorn.browser.page.setViewportSize({ width, height });
  const main = () => saltcorn.browser.page.locator('#page-inner-content');

  test('adds the module', async () => {
    const { page, picture } = saltcorn.browser;
    const add = page.getByRole('link', { name: 'Add another module' });
    await show(900, 420);
    await saltcorn.go('/plugins');
    await page.locator('#dropdownMenuButton').click();
    await add.waitFor();
    await picture('install-saltcorn-menu', main());
    await show(900, 560);
    await add.click();
    await page.fill('input[name=name]', 'telephony');
    await page.selectOption('select[name=source]', 'local');
    await page.fill('input[name=location]', '/opt/telephony/saltcorn');
    await picture('install-saltcorn-module', main());
    await page.fill('input[name=location]', folder);
    await saltcorn.submit();
    await page.waitForSelector('text=Module telephony installed');
  });

  test('fills in the settings', async () => {
    const { username, password } = saltcorn.sandbox;
    await settings.open();
    await settings.fill({ username, password });
    await saltcorn.browser.picture('install-saltcorn-settings', main());
    await settings.fill({ password: '' });
  });

  // For all failures, see process/settings.test.ts.
  test('sees why the connection fails', async () => {
    const { username } = saltcorn.sandbox;
    await settings.open();
    await settings.unfold();
    await settings.fill({ username, password: 'Wrong-1-password', baseUrl: 'http://127.0.0.1:9' });
    expect(await settings.test('danger')).toContain('(ECONNREFUSED).');
  });

  test('sees that the connection works', async () => {
    const { page, screenshot } = saltcorn.browser;
    const { password, url: baseUrl } = saltcorn.sandbox;
    await settings.open();
    await settings.unfold();
    await settings.fill({ baseUrl, password });
    expect(await settings.test('success')).toContain(acceptedBy(saltcorn.sandbox));
    await screenshot('works', page.locator('#toasts-area .toast').last());
    await saltcorn.submit();
  });

  test('creates a table', async () => {
    const { page, picture } = saltcorn.browser;
    await saltcorn.go('/table');
    await page.getByRole('link', { name: 'Create table' }).click();
    await builder.fillTable('Calls', 'Telephony: Calls by caller id');
    await picture('install-saltcorn-table', main());
    await saltcorn.press(/^Create/, /^Finish/);
    await saltcorn.press(/^Finish/, 'Table Calls saved');
  });

  test('creates a list', async () => {
    const { page, picture, screenshot } = saltcorn.browser;
    await saltcorn.go('/viewedit');
    await page.getByRole('link', { name: 'Create view' }).click();
    await builder.fillView('Calls', 'List', 'Calls');
    await screenshot('view', main());
    await saltcorn.press(/^Configure/, 'Components');
    await saltcorn.go('/view/Calls');
    expect(await saltcorn.rows().count()).toBe(20);
    await saltcorn.go('/view/Calls?status=busy');
    await picture('install-saltcorn-list', main());
  });

  test('drags a button onto a page', async () => {
    await show(1000, 780);
    await builder.createPage('hello');
    const saved = builder.saved('first SMS');
    await builder.drag('Action button');
    await builder.choose('Send SMS');
    await builder.configure({ from: '+14155550100', to: '+12025550143', body: 'My first SMS' });
    await saltcorn.browser.picture('install-saltcorn-button', builder.sidebar);
    await saved;
    await builder.finishPage();
  });

  test('presses the button and sends the SMS', async () => {
    const { page, picture } = saltcorn.browser;
    const { messages } = saltcorn.sandbox;
    await show(900, 300);
    const before = messages.length;
    await saltcorn.go('/page/hello');
    await page.getByText('Send SMS', { exact: true }).click();
    await saltcorn.toast('success').waitFor();
    await picture('install-saltcorn-sent');
    expect(messages).toHaveLength(before + 1);
    expect(messages[0]).toMatchObject({ to: '+12025550143', body: 'My first SMS' });
  });

  test('empties the settings to delete the password, then removes the module', async () => {
    const { page, screenshot } = saltcorn.browser;
    const hint = () => settings.field('password').getAttribute('placeholder');
    await settings.open();
    expect(await hint()).toBe('unchanged');
    await settings.fill({ username: '' });
    await saltcorn.submit();
    await settings.open();
    expect(await hint()).not.toBe('unchanged');
    await saltcorn.go('/plugins');
    await screenshot('modules');
    page.once('dialog', (dialog) => dialog.accept());
    await page.locator('form[action="/plugins/delete/telephony"] button').click();
    await page.waitForLoadState();
    await screenshot('removed');
    await page.getByText('Module telephony removed').waitFor();
  });
});
