import type { Locator, Request } from 'playwright-core';
import { until } from '../../support/until.ts';
import type { OpenSaltcorn } from '../open-saltcorn.ts';

export type SaltcornBuilder = ReturnType<typeof builderIn>;

/** What someone does to make tables, views and pages in Saltcorn. */
export function builderIn({ browser: { page }, go, press }: OpenSaltcorn) {
  /** Where someone says what an element does or shows. */
  const sidebar = page.locator('.builder-sidebar');
  const canvas = page.locator('#builder-main-canvas');

  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') unanswered.add(request);
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  // Chromium reports no end of what a page requests while someone leaves it.
  page.on('framenavigated', () => unanswered.clear());

  /** Waits until the builder has drawn what it shows, and has the responses to what it requested by that. */
  async function settle(): Promise<void> {
    // Chromium does not always draw a page that nobody looks at.
    await page.evaluate(`new Promise((drawn) => {
      requestAnimationFrame(() => requestAnimationFrame(drawn));
      setTimeout(drawn, 1_000);
    })`);
    if (unanswered.size === 0) return;
    await until(() => unanswered.size === 0);
    await settle();
  }

  /** Waits until a builder shows everything: what still moves takes no click. */
  async function shown() {
    await page.waitForSelector('.wrap-builder-elem');
    await settle();
  }

  /** Has the builder save what it would save a moment later, after what is pressed next, and so undo that. */
  async function save() {
    await page.evaluate('dispatchEvent(new Event("blur"))');
    await settle();
  }

  /** Says what a new table is. */
  async function fillTable(name: string, provider: string) {
    await page.getByLabel('Table name').fill(name);
    await page.getByLabel('Table provider').selectOption(provider);
  }

  /** Says what a new view is. */
  async function fillView(name: string, pattern: string, table: string) {
    await page.getByLabel('View name').fill(name);
    await page.getByLabel('View pattern').selectOption(pattern);
    await page.getByLabel('Table', { exact: true }).selectOption(table);
  }

  return {
    ...{ sidebar, fillTable, fillView },
    createTable: async (name: string, provider: string) => {
      await go('/table/new');
      await fillTable(name, provider);
      await press(/^Create/, /^Finish/);
      await press(/^Finish/, `Table ${name} saved`);
    },
    /** Makes a view, and is in its builder. */
    createView: async (name: string, pattern: string, table: string) => {
      await go('/viewedit/new');
      await fillView(name, pattern, table);
      await press(/^Configure/, 'Components');
      await shown();
    },
    /** Makes a page, and is in its builder. */
    createPage: async (name: string) => {
      await go('/pageedit/new');
      await page.getByLabel('Name').fill(name);
      await press(/^Save/, 'Components');
      await shown();
    },
    /** Opens a builder, and waits until it shows everything. */
    open: async (path: string) => {
      await go(path);
      // A page that is left while it still loads its previews would report them as errors.
      await shown();
    },
    /** The columns of a list, where something can be dropped. */
    columns: () => page.locator('.list-col-canvas'),
    /** Drags an element onto the top of what is built, or onto a part of it. */
    drag: async (element: string, onto?: Locator) => {
      const dragged = page.locator(`.wrap-builder-elem[title="${element}"]`);
      if (onto) await dragged.dragTo(onto);
      else await dragged.dragTo(canvas, { targetPosition: { x: 100, y: 10 } });
    },
    /** Chooses what the element that was dragged last does or shows. */
    choose: async (typed: string, look?: () => Promise<void>) => {
      const box = sidebar.locator('input[role=combobox]').first();
      await box.fill(typed);
      await look?.();
      await box.press('Enter');
      await sidebar
        .locator('[class*="-single-value"], [class*="-singleValue"]', { hasText: typed })
        .waitFor();
    },
    /** Types into the fields of an action, by key. */
    configure: async (values: Record<string, string | undefined>) => {
      for (const [key, value = ''] of Object.entries(values))
        await sidebar.locator(`.field-${key}`).fill(value);
    },
    /** The builder saves by itself, a moment after the last change: resolves when it has saved a text. */
    saved: (text: string) =>
      page.waitForResponse(
        (response) =>
          response.url().includes('/savebuilder') &&
          response.ok() &&
          Boolean(response.request().postData()?.includes(text)),
      ),
    /** Leaves the builder of a view, whose next step or page has a text. */
    next: async (text: string | RegExp) => {
      await save();
      await press(/^Next/, text);
    },
    finishPage: async () => {
      await save();
      await press(/^Done/, 'Your pages');
    },
  };
}
