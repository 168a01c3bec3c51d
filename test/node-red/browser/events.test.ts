import { resolve } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { type Browser, openBrowser, watchForFaults } from '../../support/browser.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { startNodeRedServer } from '../node-red-server.ts';

const path = '/telephony/events/desk-account';

// One story: each test continues where the previous one ended.
describe('in the Node-RED demo, a user', () => {
  let browser: Browser;
  let url: string;
  let faults: string[];
  let sandbox: Sandbox;

  beforeAll(async () => {
    const port = String(await freePort());
    const publicAddress = `http://127.0.0.1:${port}`;
    sandbox = await openSandbox({
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

  test('sends all events of a number here, and undoes it', async () => {
    const { page } = browser;
    const here = url + path;
    const urls = sandbox.events.numbers;
    urls.set('+14155550100', { smsUrl: here, voiceUrl: 'https://user:secret@www.example.com/' });
    await page.getByRole('button', { name: 'Show numbers' }).click();
    await page.getByText('Call URL: https://***@www.example.com/').waitFor();
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      dialog.accept();
    });
    await page.getByRole('button', { name: 'Send events here' }).first().click();
    await page.getByText('+14155550100 (Front desk) now sends its events here.').waitFor();
    expect(asked).toEqual([
      'Replace these URLs of +14155550100 (Front desk)? Call URL: https://***@www.example.com/',
    ]);
    expect(urls.get('+14155550100')).toEqual({
      smsUrl: here,
      voiceUrl: here,
      statusCallback: here,
    });
    await browser.screenshot('numbers');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored the URLs of +14155550100 (Front desk).').waitFor();
    expect(urls.get('+14155550100')).toEqual({
      ...{ smsUrl: here, voiceUrl: 'https://user:secret@www.example.com/', statusCallback: '' },
    });
    expect(faults).toEqual([]);
  });
});
