import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type NodeRedServer, startNodeRedServer } from '../node-red-server.ts';
import { editorIn, type NodeRedEditor } from './node-red-editor.ts';

const dist = join(root, 'dist');
const tarball = join(dist, `telephony-plugin-node-red-${version}.tgz`);
const laterVersion = '1000.0.0';
const sms = { from: '+14155550100', to: '+12025550143' };

/** Packs the package again, as a later version. */
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

// One story: each test continues where the previous one ended, like a user.
describe('installing in Node-RED, a user', () => {
  let sandbox: Sandbox;
  let nodeRed: NodeRedServer;
  let browser: Browser;
  let editor: NodeRedEditor;

  beforeAll(async () => {
    sandbox = await openSandbox({ now: new Date('2026-11-20T15:42:00Z') });
    // The demo stores it in the variable TELEPHONY_PASSWORD.
    const PLUGIN_CONFIGURATION = JSON.stringify({ password: sandbox.password });
    [nodeRed, browser] = await Promise.all([
      startNodeRedServer([], { PLUGIN_CONFIGURATION }),
      openBrowser('install-node-red'),
    ]);
    editor = editorIn(browser.page);
  });

  test('uploads the tarball', async () => {
    await browser.page.goto(nodeRed.url);
    await editor.paletteNode('inject').waitFor();
    expect((await editor.upload(tarball)).status()).toBe(200);
    await editor.paletteNode('telephony-send-sms').waitFor({ state: 'attached' });
    await editor.closeTray();
  });

  test('sends an SMS from an inject node, with the password from an environment variable', async () => {
    const { page, screenshot } = browser;
    await editor.drag('inject', 180, 100);
    await editor.drag('telephony-send-sms', 400, 100);
    await editor.drag('debug', 620, 100);
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
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what someone types.
    await editor.fillAccount({ username: sandbox.username, password: '${TELEPHONY_PASSWORD}' });
    await editor.fillBaseUrl(sandbox.url);
    await editor.saveAccount();
    const inputs = page.locator('#dialog-form .red-ui-typedInput-container input:visible');
    await inputs.nth(2).waitFor();
    for (const [index, text] of [sms.from, sms.to].entries()) await inputs.nth(index).fill(text);
    await editor.saveNode();

    await editor.deploy();
    const before = sandbox.messages.length;
    await inject.locator('.red-ui-flow-node-button-button').click();
    await page.locator('.red-ui-debug-msg', { hasText: sms.to }).waitFor({ state: 'attached' });
    await screenshot('debug');
    expect(sandbox.messages).toHaveLength(before + 1);
    // By default, an inject node sends the time.
    expect(sandbox.messages[0]).toMatchObject({ ...sms, body: expect.stringMatching(/^\d{13}$/) });
  });

  test('uploads a later version and reads that Node-RED must be restarted', async () => {
    const { page, screenshot } = browser;
    const answer = await editor.upload(packLater());
    expect(await answer.json()).toMatchObject({ version, pending_version: laterVersion });
    await page.getByText('Node-RED must be restarted to enable upgraded modules').waitFor();
    await screenshot('later');
    await editor.closeTray();
  });

  test('deletes the nodes and the account, then removes the package', async () => {
    const { page, screenshot } = browser;
    await page.locator('#red-ui-workspace-chart').click({ position: { x: 600, y: 300 } });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await editor.choose('#menu-item-config-nodes');
    await page.locator('.red-ui-palette-node-config').first().click();
    await page.keyboard.press('Delete');
    await screenshot('deleted');
    await editor.deploy();
    await editor.openPalette('nodes');
    const removed = editor.answerTo('DELETE', '/nodes/@telephony-plugin/node-red');
    await page.locator('a:visible', { hasText: /^remove$/ }).click();
    await screenshot('remove');
    await page.locator('.red-ui-notification .primary').last().click();
    expect((await removed).status()).toBe(204);
    await editor.paletteNode('telephony-send-sms').waitFor({ state: 'detached' });
  });
});
