import { barriers } from '../../support/accessibility.ts';
import { openSaltcorn } from '../open-saltcorn.ts';
import { settingsIn } from '../saltcorn-settings.ts';

test('an administrator adds the telephony pages with one click, and uses them', async () => {
  const saltcorn = await openSaltcorn('install-desk', {}, {});
  const { page, screenshot } = saltcorn.browser;
  await saltcorn.logIn();
  await settingsIn(saltcorn).open();
  await screenshot('settings');
  await page.getByText('Add telephony pages').dblclick();
  await page.waitForURL('**/page/telephony-desk');
  await page.getByText('Added to the menu, for administrators only').waitFor();
  await saltcorn.rows('Calls').first().waitFor();
  await screenshot('desk');
  expect(await barriers(page, 'main')).toEqual([]);

  await page.getByText('Telephony customers').first().click();
  await page.waitForURL('**/page/telephony-customers');
  await page.locator('input[name=name]').fill('Ada Lovelace');
  await page.locator('input[name=phone]').fill('+12025550143');
  await page.getByText('Add', { exact: true }).click();
  await page.locator('tbody').getByText('Ada Lovelace').waitFor();
  await screenshot('customers');
  await page.locator('tbody').getByText('Open').click();
  await page.waitForURL('**/view/Telephony%20customer**');
  await saltcorn.rows('Calls').first().waitFor();
  await screenshot('customer');
  await saltcorn.go('/page/telephony-statistics');
  await page.locator('figure svg').nth(1).waitFor();
  await screenshot('statistics');
  expect(await barriers(page, 'main')).toEqual([]);
  await saltcorn.go('/page/telephony-inbox');
  await page.getByText('New SMS appear here once').waitFor();
  await screenshot('inbox');
});
