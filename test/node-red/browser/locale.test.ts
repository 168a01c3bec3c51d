import { resolve } from 'node:path';
import { type Browser, openBrowser, watchForFaults } from '../../support/browser.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { type NodeRedServer, startNodeRedServer } from '../node-red-server.ts';
import { firstSmsFlow } from './first-sms-flow.ts';
import { editorIn, type NodeRedEditor } from './node-red-editor.ts';

const languages = {
  'de-DE': {
    palette: 'SMS senden',
    labels: ['Name', 'Konto', 'Von', 'An', 'Text', 'Ergebnis in'],
    numbers: 'Ihre Nummern',
    count: '1 SMS, noch 155 Zeichen (GSM-7)',
    missing: '„An“ fehlt',
    headings: ['Eingänge', 'Eigenschaften', 'Ausgänge', 'Details', 'Referenzen'],
    test: 'Verbindung prüfen',
    works:
      /^Der Dienst 127\.0\.0\.1:\d+ akzeptiert den Benutzernamen und das Passwort des Kontos AC\w{32}\.$/,
    events: 'Ereignisse',
    outputs: ['Vorschau', 'Fortschritt', 'Ergebnis'],
  },
  'zh-CN': {
    palette: '发送短信',
    labels: ['名称', '账户', '发送方', '接收方', '内容', '结果存入'],
    numbers: '您的号码',
    count: '1 条短信，还可输入 155 个字符（GSM-7）',
    missing: '缺少“接收方”',
    headings: ['输入', '属性', '输出', '详细', '参考'],
    test: '测试连接',
    works: /^服务 127\.0\.0\.1:\d+ 接受账户 AC\w{32} 的用户名和密码。$/,
    events: '事件',
    outputs: ['预览', '进度', '结果'],
  },
};

let nodeRed: NodeRedServer;

beforeAll(async () => {
  const { username, password, url: baseUrl } = await openSandbox();
  const options = ['--module', resolve(root, 'dist/node-red')];
  nodeRed = await startNodeRedServer([...options, '--flow', firstSmsFlow()], {
    PLUGIN_CONFIGURATION: JSON.stringify({ username, password, baseUrl }),
  });
});

describe.each(Object.entries(languages))('in a browser set to %s', (locale, texts) => {
  let browser: Browser;
  let editor: NodeRedEditor;
  let faults: string[];

  beforeAll(async () => {
    browser = await openBrowser(`node-red-${locale}`, 'UTC', locale);
    editor = editorIn(browser.page);
    faults = watchForFaults(browser.page);
    await browser.page.goto(nodeRed.url);
  });

  test('the palette, the dialogs and the help are in that language', async () => {
    const { page, screenshot } = browser;
    const entry = editor.paletteNode('telephony-send-sms');
    await entry.scrollIntoViewIfNeeded();
    expect((await entry.textContent())?.trim().split(/\s+/).join(' ')).toBe(texts.palette);
    await editor.canvasNode(texts.palette).first().dblclick();
    const labels = page.locator('#dialog-form label');
    await labels.nth(5).waitFor();
    expect((await labels.allTextContents()).map((text) => text.trim())).toEqual(texts.labels);
    const row = page.locator('.form-row', { has: page.locator('#telephony-count-body') });
    await row.locator('.red-ui-typedInput-type-select').click();
    await page.locator('.red-ui-typedInput-options a:visible').first().click();
    await row.locator('.red-ui-typedInput-input').fill('Hello');
    await page.getByText(texts.count).waitFor();
    await page.getByTitle(texts.numbers, { exact: true }).waitFor();
    await screenshot('send-sms');

    await page.locator('#node-input-btn-account-edit').click();
    await page.getByText(texts.test, { exact: true }).click();
    await page.getByText(texts.works).waitFor();
    await page.getByText(texts.events, { exact: true }).click();
    await screenshot('account');
    await page.locator('#node-config-dialog-cancel').click();
    await page.locator('#node-config-dialog-cancel').waitFor({ state: 'detached' });
    await page.locator('#node-dialog-cancel').click();
    await editor.trayClosed();

    await page.evaluate("RED.sidebar.help.show('telephony-send-sms')");
    const headings = page.locator('.red-ui-help h3');
    await headings.nth(4).waitFor();
    expect(await headings.allTextContents()).toEqual(texts.headings);
    await screenshot('help');
    expect(faults).toEqual([]);
  });

  test('the ports and the validation of nodes are in that language', async () => {
    const said = await browser.page.evaluate(`(() => {
      const { defaults, outputLabels, ...rest } = RED.nodes.getType('telephony-for-each-row');
      const label = (index) => outputLabels.call(rest, index);
      const node = { operation: 'send-sms', inputTo: '', typeOfTo: 'msg' };
      return { outputs: [0, 1, 2].map(label), missing: defaults.inputTo.validate.call(node, '', {}) };
    })()`);
    expect(said).toEqual({ outputs: texts.outputs, missing: texts.missing });
  });
});
