import { watchForFaults } from '../../support/browser.ts';
import { until } from '../../support/until.ts';
import { demoDesk, type OpenSaltcorn, openSaltcorn } from '../open-saltcorn.ts';
import { type SaltcornSettings, settingsIn } from '../saltcorn-settings.ts';
import { builderIn, type SaltcornBuilder } from './saltcorn-builder.ts';

// One story: each test continues where the previous one ended.
describe('in Saltcorn, a user', () => {
  let saltcorn: OpenSaltcorn;
  let settings: SaltcornSettings;
  let builder: SaltcornBuilder;
  let faults: string[];

  beforeAll(async () => {
    saltcorn = await openSaltcorn('saltcorn-choices', demoDesk);
    settings = settingsIn(saltcorn);
    builder = builderIn(saltcorn);
    await saltcorn.logIn();
    faults = watchForFaults(saltcorn.browser.page);
  });

  const numbers = [
    ['+14155550100', 'Front desk'],
    ['+14155550101', 'Support'],
  ];

  /** The choices of an input, once it has the focus. */
  async function offered(input: string) {
    const { page } = saltcorn.browser;
    await page.locator(input).click();
    await page.locator(`${input}[list]`).waitFor();
    return page.evaluate(
      `[...document.querySelector(${JSON.stringify(input)}).list.options].map(({ value, label }) => [value, label])`,
    );
  }

  test('picks the default sender in the settings', async () => {
    const { page, screenshot } = saltcorn.browser;
    await settings.open();
    await settings.unfold();
    expect(await offered('#inputdefaultSender')).toEqual(numbers);
    await screenshot('settings');
    const saved = page.waitForResponse((response) => response.url().includes('/saveconfig/'));
    await page.locator('#inputdefaultSender').fill('+14155550101');
    await page.keyboard.press('Tab');
    expect((await saved).status()).toBe(200);
    expect(faults).toEqual([]);
  });

  test('copies the webhook URL', async () => {
    const { page, screenshot } = saltcorn.browser;
    await page.getByRole('button', { name: 'Events' }).click();
    await page.getByLabel('Public URL').fill('https://app.example.com');
    await saltcorn.submit();
    await settings.open();
    await page.getByRole('button', { name: 'Events' }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await screenshot('webhook');
    await page.context().grantPermissions(['clipboard-read']);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'https://app.example.com/telephony/events',
    );
  });

  test('sends the events of a number here, and undoes it', async () => {
    const { page, screenshot } = saltcorn.browser;
    const { numbers: urls } = saltcorn.sandbox.events;
    const before = { smsUrl: 'https://user:secret@www.example.com/sms' };
    const here = 'https://app.example.com/telephony/events';
    urls.set('+14155550100', before);
    await page.route('**/telephony/numbers', (route) => route.fulfill({ body: 'Log in' }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Show numbers' }).click();
    await page.getByText('Saltcorn did not respond, so the outcome is unknown.').waitFor();
    await page.getByRole('button', { name: 'Show numbers' }).click();
    await page.getByText('SMS URL: https://***@www.example.com/sms').waitFor();
    await screenshot('numbers');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      dialog.accept();
    });
    await page.getByRole('button', { name: 'Send events here' }).first().click();
    await page.getByText('+14155550100 (Front desk) now sends its events here.').waitFor();
    expect(asked).toEqual([
      'Replace these URLs of +14155550100 (Front desk)? SMS URL: https://***@www.example.com/sms',
    ]);
    expect(urls.get('+14155550100')).toEqual({
      smsUrl: here,
      voiceUrl: here,
      statusCallback: here,
    });
    await screenshot('connected');
    await settings.open();
    await page.getByRole('button', { name: 'Events' }).click();
    await page.getByRole('button', { name: 'Show numbers' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored the URLs of +14155550100 (Front desk).').waitFor();
    expect(urls.get('+14155550100')).toEqual({ ...before, voiceUrl: '', statusCallback: '' });
    expect(faults).toEqual([]);
  });

  test('picks a number for a button in the builder, and types any other sender', async () => {
    const { page, screenshot } = saltcorn.browser;
    await builder.createPage('desk2');
    await builder.drag('Action button');
    await builder.choose('Send SMS');
    const from = '.builder-sidebar .field-from';
    expect(await offered(from)).toEqual(numbers);
    await screenshot('builder');
    const saved = builder.saved('Our Shop');
    await page.locator(from).fill('Our Shop');
    await saved;
    expect(faults).toEqual([]);
  });

  test('picks a number in a form of a page', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/');
    const hint = page.getByText('Clear this field to choose from a list.');
    await page.locator('input[name=from]').click();
    await hint.waitFor();
    await page.locator('input[name=from]').fill('');
    await hint.waitFor({ state: 'hidden' });
    expect(await offered('input[name=from]')).toEqual(numbers);
    await screenshot('form');
    expect(faults).toEqual([]);
  });

  test('sees a hint if the service is down, and types', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.sandbox.close();
    const hint = page.getByText('Could not load your numbers.');
    // The cache offers the numbers for a few more seconds.
    await until(async () => {
      await settings.open();
      await settings.unfold();
      await page.locator('#inputdefaultSender').click();
      await hint.or(page.locator('#inputdefaultSender[list]')).waitFor();
      return hint.isVisible();
    });
    await screenshot('down');
    await page.locator('#inputdefaultSender').fill('Our Shop');
    expect(faults).toEqual([]);
  });
});
