import { join } from 'node:path';
import type { Locator, Response } from 'playwright-core';
import type { SandboxOptions } from '../../demo/sandbox/index.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import {
  admin,
  type SaltcornContents,
  type SaltcornServer,
  startSaltcornServer,
} from './saltcorn-server.ts';

/** The plugin as it was built, which leads to a sandbox. */
const installed = ({ username, password, url: baseUrl }: Sandbox): SaltcornContents => ({
  plugin: join(root, 'dist/saltcorn'),
  configuration: { username, password, baseUrl },
});

/** The desk of the demo, with its customers. */
export const demoDesk: SaltcornContents = {
  pack: join(root, 'demo/saltcorn/desk.json'),
  customers: join(root, 'demo/customers.json'),
};

/** The inbox of the demo, to which a sandbox reports the SMS that come in. */
async function inboxOf({ origin, events }: Sandbox): Promise<SaltcornContents> {
  const port = await freePort();
  const publicAddress = `http://127.0.0.1:${port}`;
  events.numbers.set('+14155550100', { smsUrl: `${publicAddress}/telephony/events` });
  const pack = join(root, 'demo/saltcorn/inbox.json');
  return { inbox: { pack, sandbox: origin, port }, configuration: { publicAddress } };
}

type Kind = 'success' | 'danger';

export interface OpenSaltcorn {
  sandbox: Sandbox;
  browser: Browser;
  server: SaltcornServer;
  url: string;
  /** All that the server printed. */
  written(): string;
  go(path: string, waitUntil?: 'load' | 'networkidle'): Promise<Response | null>;
  /** Presses the button of the form that is shown. */
  submit(): Promise<void>;
  /** Presses a button that leads to another page, and waits for what is there. */
  press(button: RegExp, next: string | RegExp): Promise<void>;
  logIn(): Promise<void>;
  card(title: string): Locator;
  /** The rows of the list in a card, or of the only one that is shown. */
  rows(title?: string): Locator;
  /** The newest toast. */
  toast(kind: Kind): Locator;
  /** What the newest toast says, when there is one. */
  said(kind: Kind): Promise<string>;
}

export interface OpenOptions extends SandboxOptions {
  /** Where the browser's user is. */
  timezoneId?: string;
  /** Whether SMS come in, to a first number, which is the one that the demo's pages send from. */
  hasInbox?: boolean;
  /** Whether someone still has to install the plugin. */
  isBare?: boolean;
  /** One that is there already. */
  sandbox?: Sandbox;
}

/**
 * Starts a sandbox, a Saltcorn whose plugin leads to it, and a browser.
 *
 * @param story the folder of the browser's screenshots
 * @param contents what Saltcorn has besides the plugin
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
    },
    logIn: async () => {
      await go('/auth/login');
      await page.fill('input[name=email]', admin.email);
      await page.fill('input[name=password]', admin.password);
      await submit();
      await page.waitForURL(`${url}/`);
    },
    rows: (title) => (title ? card(title) : page).locator('tbody tr'),
    said: async (kind) => {
      await toast(kind).waitFor();
      return (await toast(kind).textContent())?.trim() ?? '';
    },
  };
}
