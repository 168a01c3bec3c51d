import type { Locator, Request } from 'playwright-core';
import { until } from '../../support/until.ts';
import type { OpenSaltcorn } from '../open-saltcorn.ts';

export type SaltcornBuilder = ReturnType<typeof builderIn>;

/** Builds tables, views and pages in Saltcorn. */
export function builderIn({ browser: { page }, go, press }: OpenSaltcorn) {
  /** The settings of the selected element. */
  const sidebar = page.locator('.builder-sidebar');
  const canvas = page.locator('#builder-main-canvas');

  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') unanswered.add(request);
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  // Chromium does not report the end of requests of a page that is being left.
  page.on('framenavigated', () => unanswered.clear());

  /** Waits until the builder is drawn, and has the responses to the requests of that. */
  async function settle(): Promise<void> {
    // Chromium does not always draw a page in the background.
    await page.evaluate(`new Promise((drawn) => {
      requestAnimationFrame(() => requestAnimationFrame(drawn));
      setTimeout(drawn, 1_000);
    })`);
    if (unanswered.size === 0) return;
    await until(() => unanswered.size === 0);
    await settle();
  }

  /** Waits until a builder is complete: elements that still move take no click. */
  async function shown() {
    await page.waitForSelector('.wrap-builder-elem');
    await settle();
  }

  /** Makes the builder save now. Its delayed autosave would undo the next action. */
  async function save() {
    await page.evaluate('dispatchEvent(new Event("blur"))');
    await settle();
  }

  /** Fills in the form of a new table. */
  async function fillTable(name: string, provider: string) {
    await page.getByLabel('Table name').fill(name);
    await page.getByLabel('Table provider').selectOption(provider);
  }

  /** Fills in the form of a new view. */
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
    /** Creates a view, and opens its builder. */
    createView: async (name: string, pattern: string, table: string) => {
      await go('/viewedit/new');
      await fillView(name, pattern, table);
      await press(/^Configure/, 'Components');
      await shown();
    },
    /** Creates a page, and opens its builder. */
    createPage: async (name: string) => {
      await go('/pageedit/new');
      await page.getByLabel('Name').fill(name);
      await press(/^Save/, 'Components');
      await shown();
    },
    /** Opens a builder, and waits until it is complete. */
    open: async (path: string) => {
      await go(path);
      // Leaving a page that still loads its previews would report these as errors.
      await shown();
    },
    /** The columns of a list, as drop targets. */
    columns: () => page.locator('.list-col-canvas'),
    /** Drags an element to the top of the view, or onto a part of it. */
    drag: async (element: string, onto?: Locator) => {
      const dragged = page.locator(`.wrap-builder-elem[title="${element}"]`);
      if (onto) await dragged.dragTo(onto);
      else await dragged.dragTo(canvas, { targetPosition: { x: 100, y: 10 } });
    },
    /** Sets what the element that was dragged last does or shows. */
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
    /** Resolves once the builder's autosave has saved a text. */
    saved: (text: string) =>
      page.waitForResponse(
        (response) =>
          response.url().includes('/savebuilder') &&
          response.ok() &&
          Boolean(response.request().postData()?.includes(text)),
      ),
    /** Leaves the builder of a view, and waits for a text of the next page. */
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
