import { resolve } from 'node:path';
import type { Locator, Response } from 'playwright-core';
import type { SandboxOptions } from '../../demo/sandbox/index.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { type Browser, openBrowser } from './browser.ts';
import { admin, type SaltcornContents, startSaltcornServer } from './saltcorn-server.ts';

const folder = (path: string) => resolve(__dirname, '../..', path);

/** The desk of the demo, with its customers. */
export const demoDesk: SaltcornContents = {
  pack: folder('demo/saltcorn/desk.json'),
  customers: folder('demo/saltcorn/customers.json'),
};

export interface OpenSaltcorn {
  sandbox: Sandbox;
  browser: Browser;
  url: string;
  go(path: string, waitUntil?: 'load' | 'networkidle'): Promise<Response | null>;
  /** Presses the button of the form that is shown. */
  submit(): Promise<void>;
  logIn(): Promise<void>;
  card(title: string): Locator;
  /** The rows of the list in a card. */
  rows(title: string): Locator;
  /** The newest toast. */
  toast(kind: 'success' | 'danger'): Locator;
}

/**
 * Starts a sandbox, a Saltcorn whose plugin leads to it, and a browser.
 *
 * @param story the folder of the browser's screenshots
 * @param contents what Saltcorn has besides the plugin
 * @param options of the sandbox, and where the browser's user is
 */
export async function openSaltcorn(
  story: string,
  contents: SaltcornContents = {},
  { timezoneId, ...options }: SandboxOptions & { timezoneId?: string } = {},
): Promise<OpenSaltcorn> {
  const sandbox = await openSandbox(options);
  const { username, password, url: baseUrl } = sandbox;
  const [saltcorn, browser] = await Promise.all([
    startSaltcornServer({
      plugin: folder('dist/saltcorn'),
      configuration: { username, password, baseUrl },
      ...contents,
    }),
    openBrowser(story, timezoneId),
  ]);
  const { url } = saltcorn;
  const { page } = browser;

  const go: OpenSaltcorn['go'] = (path, waitUntil = 'load') => page.goto(url + path, { waitUntil });
  const submit = async () => {
    await page.locator('form button[type=submit]').last().click();
    await page.waitForLoadState();
  };
  const card = (title: string) =>
    page.locator('.card', { has: page.locator('.card-header', { hasText: title }) });

  return {
    ...{ sandbox, browser, url, go, submit, card },
    logIn: async () => {
      await go('/auth/login');
      await page.fill('input[name=email]', admin.email);
      await page.fill('input[name=password]', admin.password);
      await submit();
      await page.waitForURL(`${url}/`);
    },
    rows: (title) => card(title).locator('tbody tr'),
    toast: (kind) => page.locator(`#toasts-area .toast:has(.bg-${kind}) .toast-body`).last(),
  };
}
