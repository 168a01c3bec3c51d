import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page, type Response } from 'playwright-core';
import { closeAfterwards } from './close-afterwards.ts';
import { needs, skipWithout } from './needs.ts';
import { keepPicture } from './picture.ts';
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

/** Common window sizes. */
export const windows: [where: string, width: number][] = [
  ['at a desk', 1280],
  ['on a phone', 375],
];

/** Collects the errors of a page from now on: uncaught exceptions, and responses with an error status. */
export function watchForFaults(page: Page, isExpected = (_: Response) => false): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400 && !isExpected(response))
      faults.push(`${response.status()} ${response.url()}`);
  });
  return faults;
}

/** Ends each animation at once, with its events. */
const still = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`*, ::before, ::after {
    animation-duration: 0s !important;
    animation-delay: 0s !important;
  }\`);
  document.adoptedStyleSheets.push(sheet);
`;

/** Speeds up animations: a dialog that is still opening can move between mouse down and mouse up. */
async function endMotion(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 100 });
}

export interface Tab {
  page: Page;
  /** Saves a screenshot of the page, or of a part of it, in `test/artefacts`. */
  screenshot(name: string, part?: Locator): Promise<void>;
  /** Checks that a picture of the docs shows this page, or a part of it. `npm run pictures` takes it. */
  picture(name: string, part?: Locator): Promise<void>;
}

export interface Browser extends Tab {
  /** The HTML of every page that was shown in the first tab. */
  shown: string[];
}

/** A page that saves its screenshots in the folder of a story. */
export function tabOf(page: Page, story: string): Tab {
  const pictures = join(root, 'test/artefacts', story);
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  let pictureCount = 0;
  const screenshot: Tab['screenshot'] = async (name, part) => {
    pictureCount += 1;
    const number = String(pictureCount).padStart(2, '0');
    const path = join(pictures, `${number}-${name}.png`);
    if (part) await part.screenshot({ path });
    else await page.screenshot({ path, fullPage: true });
  };
  return {
    page,
    screenshot,
    picture: async (name, part) => {
      await screenshot(name, part);
      await keepPicture(page, name, part);
    },
  };
}

/**
 * Opens a Chromium with a new profile. It is closed after its tests.
 *
 * @param story the folder of its screenshots
 * @param timezoneId the user's time zone
 * @param locale the user's language
 */
export async function openBrowser(
  story: string,
  timezoneId = 'UTC',
  locale = 'en-US',
): Promise<Browser> {
  const profile = temporaryFolder('chromium');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: needs.chromium.path ?? '',
    args,
    viewport: { width: 1280, height: 900 },
    locale,
    timezoneId,
    reducedMotion: 'reduce',
  });
  closeAfterwards(context);
  await context.addInitScript(still);
  // Generous for a slow machine, yet less than the timeout of a test, so that the error names what it waited for.
  context.setDefaultTimeout(90_000);
  const page = context.pages()[0] ?? (await context.newPage());
  await endMotion(page);
  // Fails for a page that is closed at once.
  context.on('page', (other) => endMotion(other).catch(() => {}));
  const shown: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('text/html'))
      response.text().then(
        (html) => shown.push(html),
        () => {},
      );
  });
  return { ...tabOf(page, story), shown };
}
