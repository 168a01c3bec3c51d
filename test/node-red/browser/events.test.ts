import { resolve } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { type Browser, openBrowser, watchForFaults } from '../../support/browser.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { startNodeRedServer } from '../node-red-server.ts';

const path = '/telephony/events/desk-account';

// One story: each test continues where the previous one ended.
describe('in the Node-RED demo, a user', () => {
  let browser: Browser;
  let url: string;
  let faults: string[];

  beforeAll(async () => {
    const port = String(await freePort());
    const publicAddress = `http://127.0.0.1:${port}`;
    const sandbox = await openSandbox({
      numbers: { '+14155550100': { smsUrl: publicAddress + path } },
    });
    const { username, password, url: baseUrl } = sandbox;
    const flows = ['desk', 'simulate'].map((name) => resolve(root, `demo/node-red/${name}.json`));
    const options = ['--port', port, '--module', resolve(root, 'dist/node-red')];
    const nodeRed = await startNodeRedServer(
      [...options, ...flows.flatMap((flow) => ['--flow', flow])],
      { PLUGIN_CONFIGURATION: JSON.stringify({ username, password, baseUrl, publicAddress }) },
    );
    ({ url } = nodeRed);
    browser = await openBrowser('node-red-events');
    faults = watchForFaults(browser.page);
  });

  test('simulates an incoming SMS and sees it in the inbox', async () => {
    const { page } = browser;
    await page.goto(`${url}/dashboard/inbox`);
    await page.getByLabel('From, such as').fill('+12025550143');
    await page.getByLabel('Message').fill('Are you open?');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByRole('cell', { name: 'Are you open?' }).waitFor();
    await browser.screenshot('inbox');
    expect(faults).toEqual([]);
  });

  test('finds the webhook URL and the time of the last event in the dialogs', async () => {
    const { page } = browser;
    await page.goto(`${url}/#flow/inbox-flow`);
    await page.locator('.red-ui-flow-node-group', { hasText: 'SMS received' }).dblclick();
    const address = page.locator('#telephony-node-event-address');
    const report = page.locator('#telephony-node-event-report', { hasText: 'Last event:' });
    await report.waitFor();
    expect(await address.inputValue()).toBe(url + path);
    await page.context().grantPermissions(['clipboard-read']);
    await page.getByLabel('Copy the webhook URL').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url + path);
    await browser.screenshot('event');
    await page.locator('#node-input-btn-account-edit').click();
    await page.getByText('Events', { exact: true }).click();
    await page.fill('#node-config-input-publicAddress', 'https://app.example.com/');
    const typed = page.locator('#telephony-account-event-address');
    expect(await typed.inputValue()).toBe(`https://app.example.com${path}`);
    await browser.screenshot('account');
    expect(faults).toEqual([]);
  });
});
