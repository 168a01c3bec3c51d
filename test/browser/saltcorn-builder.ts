import type { Locator } from 'playwright-core';
import type { OpenSaltcorn } from './open-saltcorn.ts';

export interface SaltcornBuilder {
  /** Where someone says what an element does or shows. */
  sidebar: Locator;
  /** Says what a new table is. */
  fillTable(name: string, provider: string): Promise<void>;
  createTable(name: string, provider: string): Promise<void>;
  /** Says what a new view is. */
  fillView(name: string, pattern: string, table: string): Promise<void>;
  /** Makes a view up to the builder. */
  createView(name: string, pattern: string, table: string): Promise<void>;
  /** Makes a page up to the builder. */
  createPage(name: string): Promise<void>;
  /** Waits until the builder is there. */
  opened(): Promise<void>;
  /** The columns of a list, where something can be dropped. */
  columns(): Locator;
  /** Drags an element onto the top of what is built, or onto a part of it. */
  drag(element: string, onto?: Locator): Promise<void>;
  /** Chooses what the element that was dragged last does or shows. */
  choose(typed: string, beforeEnter?: () => Promise<void>): Promise<void>;
  /** Types into the fields of an action, by key. */
  configure(values: Record<string, string | undefined>): Promise<void>;
  /** The builder saves by itself, a moment after the last change: resolves when it has saved a text. */
  saved(text: string): Promise<unknown>;
  finishPage(): Promise<void>;
}

/** Makes tables, views and pages in Saltcorn as its user does. */
export function builderIn({ browser: { page }, go, press }: OpenSaltcorn): SaltcornBuilder {
  const sidebar = page.locator('.builder-sidebar');
  const canvas = page.locator('#builder-main-canvas');

  const fillTable = async (name: string, provider: string) => {
    await page.getByLabel('Table name').fill(name);
    await page.getByLabel('Table provider').selectOption(provider);
  };
  const fillView = async (name: string, pattern: string, table: string) => {
    await page.getByLabel('View name').fill(name);
    await page.getByLabel('View pattern').selectOption(pattern);
    await page.getByLabel('Table', { exact: true }).selectOption(table);
  };
  const opened = async () => {
    await page.waitForSelector('.wrap-builder-elem');
  };

  return {
    ...{ sidebar, fillTable, fillView, opened },
    createTable: async (name, provider) => {
      await go('/table/new');
      await fillTable(name, provider);
      await press(/^Create/, /^Finish/);
      await press(/^Finish/, `Table ${name} saved`);
    },
    createView: async (name, pattern, table) => {
      await go('/viewedit/new');
      await fillView(name, pattern, table);
      await press(/^Configure/, 'Components');
      await opened();
    },
    createPage: async (name) => {
      await go('/pageedit/new');
      await page.getByLabel('Name').fill(name);
      await press(/^Save/, 'Components');
      await opened();
    },
    columns: () => page.locator('.list-col-canvas'),
    drag: (element, onto) => {
      const dragged = page.locator(`.wrap-builder-elem[title="${element}"]`);
      return onto
        ? dragged.dragTo(onto)
        : dragged.dragTo(canvas, { targetPosition: { x: 100, y: 10 } });
    },
    choose: async (typed, beforeEnter) => {
      const box = sidebar.locator('input[role=combobox]').first();
      await box.fill(typed);
      await beforeEnter?.();
      await box.press('Enter');
    },
    configure: async (values) => {
      for (const [key, value = ''] of Object.entries(values))
        await sidebar.locator(`.field-${key}`).fill(value);
    },
    saved: (text) =>
      page.waitForResponse(
        (response) =>
          response.url().includes('/savebuilder') &&
          response.ok() &&
          Boolean(response.request().postData()?.includes(text)),
      ),
    finishPage: () => press(/^Done/, 'Your pages'),
  };
}
