import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, openBrowser, watchForFaults } from '../../support/browser.ts';
import { root } from '../../support/root.ts';
import { type NodeRedServer, startNodeRedServer } from '../node-red-server.ts';
import { editorIn, type NodeRedEditor } from './node-red-editor.ts';

const artefact = resolve(root, 'dist/node-red');
const examples = readdirSync(join(artefact, 'examples')).map((name) => name.replace('.json', ''));

interface Box {
  name: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The rectangles of the shown nodes, and those of their labels and ports. */
const readBoxes = `(() => {
  const box = (element, name) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { name, left, right, top, bottom };
  };
  return [...document.querySelectorAll('.red-ui-flow-node-group')].map((group) => {
    const label = group.querySelector('.red-ui-flow-node-label');
    const name = label.textContent;
    return {
      node: box(group.querySelector('.red-ui-flow-node'), name),
      label: box(label, name),
      ports: [...group.querySelectorAll('.red-ui-flow-port')].map((port) => box(port, name)),
    };
  });
})()`;

const meet = (one: Box, other: Box) =>
  one.left < other.right &&
  other.left < one.right &&
  one.top < other.bottom &&
  other.top < one.bottom;

let browser: Browser;
let editor: NodeRedEditor;
let nodeRed: NodeRedServer;
let faults: string[];

beforeAll(async () => {
  [nodeRed, browser] = await Promise.all([
    startNodeRedServer(['--module', artefact], {}),
    openBrowser('node-red-examples'),
  ]);
  editor = editorIn(browser.page);
  faults = watchForFaults(browser.page);
  await browser.page.goto(nodeRed.url);
  await editor.paletteNode('telephony-send-sms').waitFor({ state: 'attached' });
});

/** Shows a flow or a subflow. */
const showFlow = (name: string) =>
  browser.page.evaluate(`for (const each of [RED.nodes.eachWorkspace, RED.nodes.eachSubflow])
    each(({ id, label, name }) => {
      if ([label, name].includes(${JSON.stringify(name)})) RED.workspaces.show(id);
    });`);

/** The names of an example's flows and subflows. */
const flowsIn = (example: string): string[] =>
  JSON.parse(readFileSync(join(artefact, 'examples', `${example}.json`), 'utf8'))
    .filter(({ type }: { type: string }) => /^(tab|subflow)$/.test(type))
    .map(({ label, name }: { label?: string; name?: string }) => label ?? name);

test.each(examples)(
  'the example “%s” is imported without nodes or labels that overlap',
  async (name) => {
    const { page, screenshot } = browser;
    await editor.choose('#menu-item-import');
    await page.getByRole('link', { name: 'Examples' }).click();
    const list = page.locator('#red-ui-clipboard-dialog-import-tab-examples');
    await list.getByText('@telephony-plugin/node-red').click();
    // The lower edge of the list may cut it off.
    await list.getByText(name, { exact: true }).dispatchEvent('click');
    await page.locator('#red-ui-clipboard-dialog-ok').click();
    await page.locator('#red-ui-clipboard-dialog-ok').waitFor({ state: 'hidden' });
    for (const flow of flowsIn(name)) {
      await showFlow(flow);
      await page.locator('.red-ui-flow-node-group').nth(3).waitFor();
      await screenshot(flow);
      const shown = (await page.evaluate(readBoxes)) as { node: Box; label: Box; ports: Box[] }[];
      const overlaps = shown.flatMap(({ node }, index) =>
        shown
          .slice(index + 1)
          .filter((other) => meet(node, other.node))
          .map((other) => [node.name, other.node.name]),
      );
      expect(overlaps).toEqual([]);
      const touched = shown.filter(({ label, ports }) => ports.some((port) => meet(label, port)));
      expect(touched.map(({ node }) => node.name)).toEqual([]);
    }
    expect(faults).toEqual([]);
  },
);

test('a new node gets the account that is filled in, next to those of examples', async () => {
  const { page } = browser;
  await showFlow('First SMS');
  await editor.canvasNode('Send SMS').dblclick();
  await page.locator('#node-input-btn-account-add').click();
  await page.fill('#node-config-input-name', 'Front desk');
  await editor.fillAccount({ username: 'AC00000000000000000000000000000001', password: 'secret' });
  await editor.saveAccount();
  await editor.saveNode();
  await editor.drag('telephony-make-a-call', 300, 400);
  await editor.canvasNode('Make a Call').dblclick();
  expect(await page.locator('#node-input-account option:checked').textContent()).toBe('Front desk');
  expect(faults).toEqual([]);
});
