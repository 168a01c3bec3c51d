import type { Page } from 'playwright-core';
import { type Browser, type Tab, tabOf } from '../support/browser.ts';
import { worker } from '../support/builder-worker.ts';

/**
 * Source of a function that opens a path inside the client, as a load would: it leaves the open page, which ends its dialogs and
 * forgets its state, and reads again what the client caches. Returns false if only a load can do that.
 */
const enter = `(async (path) => {
  const root = document.getElementById('root');
  const name = Object.keys(root ?? {}).find((key) => key.startsWith('__reactContainer'));
  const engineOf = (fiber) =>
    fiber && (fiber.memoizedProps?.engine ?? engineOf(fiber.child) ?? engineOf(fiber.sibling));
  const engine = name && engineOf(root[name]);
  if (!engine) return false;
  const kept = /^NOCOBASE_(TOKEN|AUTH|ROLE|LOCALE|THEME)$/;
  const changes = Object.entries(localStorage).filter(([key]) => !kept.test(key));
  for (const [key] of changes) localStorage.removeItem(key);
  // The editor of pages is on.
  if (changes.some(([, value]) => value === '1')) return false;
  const go = (to) => {
    history.pushState({ key: String(performance.now()), idx: history.length }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  };
  const { message, routeRepository, dataSourceManager } = engine.context;
  go('/v/left');
  message.destroy();
  const isLeft = () => !document.querySelector('#nocobase-app-container, .ant-message-notice');
  for (let turn = 0; turn < 100 && !isLeft(); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  if (!isLeft()) return false;
  await Promise.all([
    routeRepository.refreshAccessible(),
    dataSourceManager.ensureLoaded({ force: true, keys: ['*'] }),
  ]);
  go(path);
  return true;
})`;

/**
 * Opens a page of NocoBase. In a tab that shows its modern client, that takes a fifth of the time of a load. After a test that failed, it
 * always loads.
 */
export async function openPage(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  await page.mouse.move(0, 0);
  const isInClient =
    !worker.hasFailed && pathname.startsWith('/v/') && page.url().startsWith(`${origin}/v/`);
  const path = JSON.stringify(pathname + search);
  if (!isInClient || !(await page.evaluate(`${enter}(${path})`))) await page.goto(url);
}

/**
 * Returns a function that opens the tab that all stories of a file share, because a load of NocoBase's client takes seconds. A story
 * opens its first page with `openPage`. After a story that failed, the next one gets a new tab.
 *
 * @param opened a browser whose first tab is logged in
 */
export function sharedTab(opened: () => Browser) {
  let page: Page | undefined;
  return async (story: string): Promise<Tab> => {
    page ??= opened().page;
    if (worker.hasFailed) {
      const failed = page;
      page = await failed.context().newPage();
      await failed.close();
    }
    for (const event of ['pageerror', 'requestfinished', 'response'] as const)
      page.removeAllListeners(event);
    return tabOf(page, story);
  };
}
