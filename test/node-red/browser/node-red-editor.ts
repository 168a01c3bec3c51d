import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';

export type NodeRedEditor = ReturnType<typeof editorIn>;

/** A user's actions in Node-RED's editor. */
export function editorIn(page: Page) {
  const paletteNode = (type: string) =>
    page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);

  /** The response to the editor's next request. */
  const answerTo = (method: string, path: string) =>
    page.waitForResponse(
      (response) => response.url().endsWith(path) && response.request().method() === method,
    );

  const trayClosed = () => page.locator('.red-ui-tray').first().waitFor({ state: 'detached' });

  /** Chooses an item from the menu, by id. */
  async function choose(item: string) {
    await page.locator('#red-ui-header-button-sidemenu').click();
    await page.locator(item).click();
  }

  /** Opens a tab of the palette manager. */
  async function openPalette(tab: 'nodes' | 'install') {
    await choose('#menu-item-edit-palette');
    await page.locator(`#red-ui-settings-tab-palette a[href="#${tab}"]`).click();
  }

  return {
    ...{ paletteNode, answerTo, trayClosed, choose, openPalette },
    /** Nodes on the canvas, by label. */
    canvasNode: (label: string) => page.locator('.red-ui-flow-node-group', { hasText: label }),
    /** Drags a node from the palette onto the canvas. */
    drag: async (type: string, x: number, y: number) => {
      const node = paletteNode(type);
      await node.scrollIntoViewIfNeeded();
      const nodes = page.locator('.red-ui-flow-node-group');
      const count = await nodes.count();
      await node.dragTo(page.locator('#red-ui-workspace-chart'), { targetPosition: { x, y } });
      // Node-RED draws it after the drop.
      await until(async () => (await nodes.count()) > count);
    },
    deploy: async () => {
      const saved = answerTo('POST', '/flows');
      await page.locator('#red-ui-header-button-deploy').click();
      expect((await saved).status()).toBe(200);
    },
    /** Uploads a package. Returns the response of Node-RED's installer. */
    upload: async (tarball: string, look?: () => Promise<void>) => {
      await openPalette('install');
      await page.locator('input[name=tarball]').setInputFiles(tarball);
      await look?.();
      const installed = answerTo('POST', '/nodes');
      await page.locator('.red-ui-palette-editor-upload-buttons .primary').click();
      return installed;
    },
    closeTray: async () => {
      await page.locator('.red-ui-tray-toolbar').getByText('Close').click();
      await trayClosed();
    },
    /** Fills in the dialog of an account. */
    fillAccount: async (values: { username?: string; password?: string }) => {
      const { username, password } = values;
      if (username !== undefined) await page.fill('#node-config-input-username', username);
      if (password !== undefined) await page.fill('#node-config-input-password', password);
    },
    /** Fills in the base URL, which is in a collapsed part of an account's dialog. */
    fillBaseUrl: async (url: string) => {
      await page.getByText('Advanced', { exact: true }).click();
      await page.fill('#node-config-input-baseUrl', url);
    },
    saveAccount: () => page.locator('#node-config-dialog-ok').click(),
    saveNode: async () => {
      await page.locator('#node-dialog-ok').click();
      await trayClosed();
    },
  };
}
