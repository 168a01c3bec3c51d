import type { Page } from 'playwright-core';
import { openVisitor, type Visitor } from '../../demo/nocobase/visitor.ts';
import { needs, skipWithout } from '../support/needs.ts';
import { type BuilderServer, serveBuilder } from '../support/serve-builder.ts';
import { builtPlugin, preparedHome } from './prepared-home.ts';

skipWithout(needs.nocobase);
skipWithout(needs.postgresql);

const admin = { email: 'admin@example.com', password: 'Not-a-real-1-password' };
const member = { email: 'member@example.com', password: 'Not-a-real-2-password' };

/** How long the installation of NocoBase and of the plugin may take. */
export const startTimeoutMs = 600_000;

export interface NocobaseServer extends BuilderServer {
  /** The administrator. */
  admin: Visitor;
  /** Creates a user whose only role is `member`, and logs in as them. */
  openMember(): Promise<Visitor>;
}

/**
 * Starts a NocoBase in a child process, with the plugin uploaded, and with the demo's desk, but no one has used it yet.
 *
 * @param settings the settings of its account
 * @param plugin the folder of another build, which replaces the uploaded plugin
 */
export async function startNocobase(
  settings: object,
  plugin = builtPlugin,
): Promise<NocobaseServer> {
  const args = ['--admin', admin.email, '--plugin', plugin];
  const env = {
    ADMIN_PASSWORD: admin.password,
    PLUGIN_CONFIGURATION: JSON.stringify(settings),
  };
  const server = await serveBuilder('nocobase', args, env, await preparedHome(admin));
  const visitor = await openVisitor(server.url, admin.email, admin.password);
  await visitor.untilLoaded('telephony');
  return {
    ...server,
    admin: visitor,
    openMember: async () => {
      await visitor.request('users:create', { ...member, username: 'member', nickname: 'Member' });
      return openVisitor(server.url, member.email, member.password);
    },
  };
}

/** Opens a page as the administrator, or as the member. NocoBase's own login page, which takes as long to load, is skipped. */
export async function logIn(page: Page, url: string, isMember = false): Promise<void> {
  const { email: account, password } = isMember ? member : admin;
  const api = `${new URL(url).origin}/api`;
  const answer = await fetch(`${api}/auth:signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-authenticator': 'basic' },
    body: JSON.stringify({ account, password }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  // A small page of the same origin.
  await page.goto(`${api}/app:getLang`);
  await page.evaluate(`
    localStorage.removeItem('NOCOBASE_ROLE');
    localStorage.setItem('NOCOBASE_AUTH', 'basic');
    localStorage.setItem('NOCOBASE_TOKEN', ${JSON.stringify(data.token)});
  `);
  await page.goto(url);
  await page.locator('.ant-layout').first().waitFor();
}
