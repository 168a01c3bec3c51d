import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Browser, openBrowser } from './browser.ts';
import { type NodeRedServer, startNodeRedServer } from './node-red-server.ts';

const dist = resolve(__dirname, '../../dist');
const tarball = join(dist, `telephony-plugin-node-red-${version}.tgz`);
const laterVersion = '1000.0.0';
const sms = { from: '+14155550100', to: '+12025550143', body: 'Your table is ready.' };

/** Packs the package once more, as a later version. */
function packLater() {
  const folder = temporaryFolder('later');
  const content = join(folder, 'package');
  cpSync(join(dist, 'node-red'), content, { recursive: true });
  const file = join(content, 'package.json');
  const later = { ...JSON.parse(readFileSync(file, 'utf8')), version: laterVersion };
  writeFileSync(file, JSON.stringify(later));
  const packed = join(folder, 'later.tgz');
  execFileSync('tar', ['-czf', packed, '-C', folder, 'package']);
  return packed;
}

// One story: each test goes on where the one before ended, as its user would.
describe('installing in Node-RED, someone', () => {
  let sandbox: Sandbox;
  let nodeRed: NodeRedServer;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await openSandbox({ now: new Date('2026-11-20T15:42:00Z') });
    // The demo puts it into the variable TELEPHONY_PASSWORD.
    const PLUGIN_CONFIGURATION = JSON.stringify({ password: sandbox.password });
    [nodeRed, browser] = await Promise.all([
      startNodeRedServer([], { PLUGIN_CONFIGURATION }),
      openBrowser('install-node-red'),
    ]);
  });

  const paletteNode = (type: string) =>
    browser.page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
  const answerTo = (method: string, path: string) =>
    browser.page.waitForResponse(
      (response) => response.url().endsWith(path) && response.request().method() === method,
    );

  async function openPalette(tab: 'nodes' | 'install') {
    const { page } = browser;
    await page.locator('#red-ui-header-button-sidemenu').click();
    await page.locator('#menu-item-edit-palette').click();
    await page.locator(`#red-ui-settings-tab-palette a[href="#${tab}"]`).click();
  }

  async function deploy() {
    const saved = answerTo('POST', '/flows');
    await browser.page.locator('#red-ui-header-button-deploy').click();
    expect((await saved).status()).toBe(200);
  }

  async function upload(file: string) {
    const { page } = browser;
    await openPalette('install');
    await page.locator('input[name=tarball]').setInputFiles(file);
    const installed = answerTo('POST', '/nodes');
    await page.locator('.red-ui-palette-editor-upload-buttons .primary').click();
    return await installed;
  }

  async function closeTray() {
    const { page } = browser;
    await page.locator('.red-ui-tray-toolbar').getByText('Close').click();
    await page.locator('.red-ui-tray').first().waitFor({ state: 'detached' });
  }

  test('uploads the tarball', async () => {
    await browser.page.goto(nodeRed.url);
    await paletteNode('inject').waitFor();
    expect((await upload(tarball)).status()).toBe(200);
    await paletteNode('telephony-send-sms').waitFor({ state: 'attached' });
    await closeTray();
  });

  test('sends an SMS with the password of the environment, between inject and debug', async () => {
    const { page, screenshot } = browser;
    const drag = async (type: string, x: number) => {
      await paletteNode(type).scrollIntoViewIfNeeded();
      await paletteNode(type).dragTo(page.locator('#red-ui-workspace-chart'), {
        targetPosition: { x, y: 100 },
      });
    };
    await drag('inject', 180);
    await drag('telephony-send-sms', 400);
    await drag('debug', 620);
    const [inject, send, debug] = [0, 1, 2].map((index) =>
      page.locator('.red-ui-flow-node-group').nth(index),
    );
    const out = '.red-ui-flow-port-output .red-ui-flow-port';
    const into = '.red-ui-flow-port-input .red-ui-flow-port';
    if (!inject || !send || !debug) throw new Error('A node is missing.');
    await inject.locator(out).dragTo(send.locator(into));
    await send.locator(out).dragTo(debug.locator(into));

    await send.dblclick();
    await page.locator('#node-input-btn-account-add').click();
    await page.fill('#node-config-input-username', sandbox.username);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what someone types.
    await page.fill('#node-config-input-password', '${TELEPHONY_PASSWORD}');
    await page.getByText('More', { exact: true }).click();
    await page.fill('#node-config-input-baseUrl', sandbox.url);
    await page.locator('#node-config-dialog-ok').click();
    const inputs = page.locator('#dialog-form .red-ui-typedInput-container input:visible');
    await inputs.nth(2).waitFor();
    for (const [index, text] of [sms.from, sms.to, sms.body].entries())
      await inputs.nth(index).fill(text);
    await page.locator('#node-dialog-ok').click();
    await page.locator('.red-ui-tray').first().waitFor({ state: 'detached' });

    await deploy();
    const before = sandbox.messages.length;
    await inject.locator('.red-ui-flow-node-button-button').click();
    await page.locator('.red-ui-debug-msg', { hasText: sms.body }).waitFor({ state: 'attached' });
    await screenshot('debug');
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(sandbox.messages[0]).toMatchObject(sms);
  });

  test('uploads a later version, and reads that Node-RED must be restarted', async () => {
    const { page, screenshot } = browser;
    const answer = await upload(packLater());
    expect(await answer.json()).toMatchObject({ version, pending_version: laterVersion });
    await page.getByText('Node-RED must be restarted to enable upgraded modules').waitFor();
    await screenshot('later');
    await closeTray();
  });

  test('deletes its nodes and the account, and removes it', async () => {
    const { page, screenshot } = browser;
    await page.locator('#red-ui-workspace-chart').click({ position: { x: 600, y: 300 } });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.locator('#red-ui-header-button-sidemenu').click();
    await page.locator('#menu-item-config-nodes').click();
    await page.locator('.red-ui-palette-node-config').first().click();
    await page.keyboard.press('Delete');
    await screenshot('deleted');
    await deploy();
    await openPalette('nodes');
    const removed = answerTo('DELETE', '/nodes/@telephony-plugin/node-red');
    await page.locator('a:visible', { hasText: /^remove$/ }).click();
    await screenshot('remove');
    await page.locator('.red-ui-notification .primary').last().click();
    expect((await removed).status()).toBe(204);
    await paletteNode('telephony-send-sms').waitFor({ state: 'detached' });
  });
});
