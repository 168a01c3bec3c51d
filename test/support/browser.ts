import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page, type Response } from 'playwright-core';
import { closeAfterwards } from './close-afterwards.ts';
import { needs, skipWithout } from './needs.ts';
import { root } from './root.ts';
import { temporaryFolder } from './temporary-folder.ts';

skipWithout(needs.chromium);

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Windows that people have. */
export const windows: [where: string, width: number][] = [
  ['at a desk', 1280],
  ['on a phone', 375],
];

/** What goes wrong in a page from now on: what its scripts throw, and answers that are errors. */
export function watchForFaults(page: Page, isExpected = (_: Response) => false): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response))
      faults.push(`${response.status()} ${response.url()}`);
  });
  return faults;
}

/** An animation of no length shows nothing of its beginning, and still says that it ended. */
const still = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`*, ::before, ::after {
    animation-duration: 0s !important;
    animation-delay: 0s !important;
  }\`);
  document.adoptedStyleSheets.push(sheet);
`;

/** Lets what moves be there at once: a dialog that still opens can move from under the mouse between its press and its release. */
async function endMotion(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 100 });
}

export interface Browser {
  page: Page;
  /** Keeps a picture of the whole page, or of a part of it, among the artefacts of the tests. */
  screenshot(name: string, part?: Locator): Promise<void>;
  /** The HTML of every page that was shown. */
  shown: string[];
}

/**
 * Opens a Chromium of its own, with nothing remembered. It is closed after the tests it was opened for.
 *
 * @param story the folder of its screenshots
 * @param timezoneId where its user is
 */
export async function openBrowser(story: string, timezoneId = 'UTC'): Promise<Browser> {
  const profile = temporaryFolder('chromium');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: needs.chromium.path ?? '',
    args,
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId,
    reducedMotion: 'reduce',
  });
  closeAfterwards(context);
  await context.addInitScript(still);
  // In milliseconds: for a slow machine, as the limit of a test, and less than that, so that it says what it waited for.
  context.setDefaultTimeout(90_000);
  const pictures = join(root, 'test/artefacts', story);
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const page = context.pages()[0] ?? (await context.newPage());
  await endMotion(page);
  // One that is closed at once is left alone.
  context.on('page', (other) => endMotion(other).catch(() => {}));
  const shown: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('text/html'))
      response.text().then(
        (html) => shown.push(html),
        () => {},
      );
  });
  let pictureCount = 0;
  return {
    page,
    shown,
    screenshot: async (name, part) => {
      pictureCount += 1;
      const number = String(pictureCount).padStart(2, '0');
      const path = join(pictures, `${number}-${name}.png`);
      if (part) await part.screenshot({ path });
      else await page.screenshot({ path, fullPage: true });
    },
  };
}
