import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../browser/browser.ts';
import { deskIn } from '../browser/node-red-desk.ts';
import { startNodeRedServer } from '../browser/node-red-server.ts';
import { root } from '../root.ts';
import { until } from '../until.ts';
import type { App, Typed } from './app.ts';
import { account, flowsFor, missing } from './node-red-flow.ts';
import type { Service } from './service.ts';

const login = { username: 'admin', password: 'Not-a-real-1-password' };
/** What the editor sends for a password that was left as it is. */
const unchanged = { password: '__PWRD__' };
const json = { 'content-type': 'application/json' };

/** Opens the desk of the demo, and a flow that programs talk to. Node-RED asks for a login on all of its pages. */
export async function openInNodeRed(service: Service): Promise<App> {
  const options = ['--module', join(root, 'dist/node-red'), '--admin', login.username, '--guard'];
  const [server, browser] = await Promise.all([
    startNodeRedServer(options, { ADMIN_PASSWORD: login.password }),
    openBrowser('promises-node-red'),
  ]);
  const { url, home, written } = server;
  const { page, shown } = browser;
  const desk = deskIn(page);
  const basic = Buffer.from(`${login.username}:${login.password}`).toString('base64');
  await page.context().setHTTPCredentials(login);

  const ask = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(url + path, options);
    return response.text();
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

  const grant = { client_id: 'node-red-admin', grant_type: 'password', scope: '*', ...login };
  const editor = {
    authorization: `Bearer ${JSON.parse(await post('/auth/token', grant)).access_token}`,
  };
  const pages = { authorization: `Basic ${basic}` };

  const starts = () => written().split('Started flows').length;

  /** Deploys the flows. Node-RED answers before it has started them. */
  async function deploy(settings: Service['settings']) {
    const before = starts();
    const said = await post('/flows', flowsFor(settings), editor);
    await until(() => starts() > before);
    return said;
  }
  await deploy(service.settings);

  const soundOf = (sid: string) => `/telephony/media/${account}/recording/${sid}`;

  const testConnection = (typed: Typed, headers: Record<string, string>) => {
    const { username, baseUrl } = service.settings;
    const values = { username, baseUrl, accountSid: '', ...unchanged, ...typed };
    return post(`/telephony/test-connection/${account}`, values, headers);
  };

  return {
    page,
    send: async ({ to, body }, clicks = 1) => {
      await page.goto(`${url}/dashboard/desk`);
      await desk.to.fill(to);
      await desk.message.fill(body);
      await desk.send.click({ clickCount: clicks });
      // It goes after some seconds: it is waited for and read at once.
      const toast = await page.waitForFunction<string>(
        "[...document.querySelectorAll('.v-snackbar__content')].at(-1)?.textContent",
      );
      return toast.jsonValue();
    },
    sendTo: (values) => post('/sms', values, pages),
    recordingsOf: (values) => post('/recordings', values, pages),
    boundToNothing: Object.fromEntries(
      Object.keys(missing).map((path) => [path, () => post(`/${path}`, {}, pages)]),
    ),
    sendUnattended: async (sms) => {
      await post('/unattended', [sms], pages);
    },
    log: async () => written(),
    saveSettings: (typed) => deploy({ ...service.settings, ...unchanged, ...typed }),
    testConnection: (typed) => testConnection(typed, editor),
    soundOf: (sid) => url + soundOf(sid),
    async *openPages() {
      for (const place of ['desk', 'recordings', 'account-calls']) {
        await page.goto(`${url}/dashboard/${place}`);
        await page.locator('tbody tr').nth(3).waitFor();
        yield place;
      }
    },
    everything: async () => {
      const files = readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
        .map(({ parentPath, name }) => join(parentPath, name));
      return {
        ...Object.fromEntries(files.map((file) => [file, readFileSync(file, 'latin1')])),
        'the flows': await ask('/flows', { headers: editor }),
        'the credentials': await ask(`/credentials/telephony-account/${account}`, {
          headers: editor,
        }),
        'the output': written(),
        'the pages': shown.join('\n'),
      };
    },
    stranger: {
      send: (sms) => post('/unattended', [sms]),
      recordings: () => post('/recordings', {}),
      listen: (sid) => ask(soundOf(sid)),
      testConnection: () => testConnection({}, {}),
    },
  };
}
