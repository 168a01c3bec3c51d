import { join } from 'node:path';
import type { Locator, Response } from 'playwright-core';
import { freePort } from '../../demo/ports.ts';
import type { SandboxOptions } from '../../demo/sandbox/index.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import {
  admin,
  type SaltcornContents,
  type SaltcornServer,
  startSaltcornServer,
} from './saltcorn-server.ts';

/** The built plugin, with a sandbox in its settings. */
const installed = ({ username, password, url: baseUrl }: Sandbox): SaltcornContents => ({
  plugin: join(root, 'dist/saltcorn'),
  configuration: { username, password, baseUrl },
});

/** The desk of the demo, with its customers. */
export const demoDesk: SaltcornContents = {
  pack: join(root, 'demo/saltcorn/desk.json'),
  customers: join(root, 'demo/customers.json'),
};

/** The inbox of the demo, with webhooks from a sandbox. */
async function inboxOf({ origin, events }: Sandbox): Promise<SaltcornContents> {
  const port = await freePort();
  const publicAddress = `http://127.0.0.1:${port}`;
  for (const number of ['+14155550100', '+14155550101'])
    events.numbers.set(number, { smsUrl: `${publicAddress}/telephony/events` });
  const pack = join(root, 'demo/saltcorn/inbox.json');
  return { inbox: { pack, sandbox: origin, port }, configuration: { publicAddress } };
}

type Kind = 'success' | 'danger';

export interface OpenSaltcorn {
  sandbox: Sandbox;
  browser: Browser;
  server: SaltcornServer;
  url: string;
  /** The server's output. */
  written(): string;
  go(path: string, waitUntil?: 'load' | 'networkidle'): Promise<Response | null>;
  /** Presses the button of the visible form. */
  submit(): Promise<void>;
  /** Presses a button that opens another page, and waits for it. */
  press(button: RegExp, next: string | RegExp): Promise<void>;
  /** Does something that reloads the page's contents, and waits for them. */
  reloading(act: () => Promise<unknown>): Promise<void>;
  logIn(): Promise<void>;
  card(title: string): Locator;
  /** The rows of the list in a card, or of the only visible list. */
  rows(title?: string): Locator;
  /** The newest toast. */
  toast(kind: Kind): Locator;
  /** Waits for a toast, and returns the text of the newest one. */
  toastText(kind: Kind): Promise<string>;
}

export interface OpenOptions extends SandboxOptions {
  /** The user's time zone. */
  timezoneId?: string;
  /** Whether the sandbox sends webhooks for incoming SMS to its numbers. */
  hasInbox?: boolean;
  /** Whether the plugin is not installed yet. */
  isBare?: boolean;
  /** A running sandbox. */
  sandbox?: Sandbox;
}

/**
 * Starts a sandbox, a Saltcorn whose plugin uses it, and a browser.
 *
 * @param story the folder of the browser's screenshots
 * @param contents Saltcorn's contents
 * @param options also those of the sandbox
 */
export async function openSaltcorn(
  story: string,
  contents: SaltcornContents = {},
  { timezoneId, hasInbox = false, isBare = false, sandbox: given, ...options }: OpenOptions = {},
): Promise<OpenSaltcorn> {
  const sandbox = given ?? (await openSandbox(options));
  const own = isBare ? {} : installed(sandbox);
  const inbox = hasInbox ? await inboxOf(sandbox) : {};
  const configuration = { ...own.configuration, ...inbox.configuration };
  const [server, browser] = await Promise.all([
    startSaltcornServer({ ...own, ...inbox, configuration, ...contents }),
    openBrowser(story, timezoneId),
  ]);
  const { url, written } = server;
  const { page } = browser;

  const go: OpenSaltcorn['go'] = (path, waitUntil = 'load') => page.goto(url + path, { waitUntil });
  const submit = async () => {
    await page.locator('form button[type=submit]').last().click();
    await page.waitForLoadState();
  };
  const card = (title: string) =>
    page.locator('.card', { has: page.locator('.card-header', { hasText: title }) });
  const toast = (kind: Kind) =>
    page.locator(`#toasts-area .toast:has(.bg-${kind}) .toast-body`).last();

  return {
    ...{ sandbox, browser, server, url, written, go, submit, card, toast },
    press: async (name, next) => {
      await page.getByRole('button', { name }).click();
      await page.getByText(next).first().waitFor();
      await page.waitForLoadState();
    },
    reloading: async (act) => {
      const loaded = page.evaluate(
        "new Promise((done) => document.addEventListener('pjax-loaded', () => done(), { once: true }))",
      );
      await act();
      await loaded;
    },
    logIn: async () => {
      await go('/auth/login');
      await page.fill('input[name=email]', admin.email);
      await page.fill('input[name=password]', admin.password);
      await submit();
      await page.waitForURL(`${url}/`);
    },
    rows: (title) => (title ? card(title) : page).locator('tbody tr'),
    toastText: async (kind) => {
      await toast(kind).waitFor();
      return (await toast(kind).textContent())?.trim() ?? '';
    },
  };
}
