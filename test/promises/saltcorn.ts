import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '../../src/index.ts';
import { openSaltcorn } from '../browser/open-saltcorn.ts';
import { admin } from '../browser/saltcorn-server.ts';
import { settingsIn } from '../browser/saltcorn-settings.ts';
import { Visitor } from '../saltcorn/website.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type App, people } from './app.ts';
import { openForEachRow } from './saltcorn-for-each-row.ts';
import { formulasWithoutValue, listName, pack, showName } from './saltcorn-pack.ts';
import type { Service } from './service.ts';

const recordings = '/view/All of Recordings by caller id';
const soundOf = (sid: string) =>
  `/telephony/media/${encodeURIComponent('All of Recordings by caller id')}/${sid}`;

function files() {
  const folder = temporaryFolder('promises');
  const write = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  return { pack: write('pack.json', pack), customers: write('customers.json', people) };
}

/** Opens the desk of the demo, and pages beside it. */
export async function openInSaltcorn({ sandbox, settings }: Service): Promise<App> {
  const configuration = { ...settings, freshSeconds: 0 };
  const saltcorn = await openSaltcorn(
    'promises-saltcorn',
    { ...files(), configuration },
    { sandbox },
  );
  const { browser, server, url, go } = saltcorn;
  const { page } = browser;
  const settingsPage = settingsIn(saltcorn);
  await saltcorn.logIn();
  const owner = await new Visitor(url).logIn(admin.email, admin.password);
  const guest = new Visitor(url);
  await guest.get('/auth/login');

  const toasts = page.locator('#toasts-area .toast-body');

  /** What is said of something that is done on a page, which may have said something of its own before. */
  const saidOf = async (act: () => Promise<void>) => {
    const answer = toasts.nth(await toasts.count());
    await act();
    await answer.waitFor();
    return (await answer.textContent()) ?? '';
  };

  const rowOf = async (values: object) => {
    const made = await owner.post('/api/Bound', values);
    return made.success;
  };

  const log = async () => {
    const text = await owner.get('/crashlog');
    const [newest] = text.match(/\/crashlog\/\d+/) ?? [];
    return newest ? text + (await owner.get(newest)) : text;
  };

  const typeSettings = async (typed: { password?: string; baseUrl?: string }) => {
    await settingsPage.open();
    await settingsPage.unfold();
    await settingsPage.fill(typed);
  };

  return {
    page,
    send: async ({ to, body }, clicks = 1) => {
      await go('/');
      await page.getByLabel('To').fill(to);
      await page.getByLabel('Body').fill(body);
      return saidOf(() => page.getByText('Send', { exact: true }).click({ clickCount: clicks }));
    },
    sendTo: async (values) => {
      const answer = await owner.post('/view/Bound/run_action', {
        rndid: 'sms',
        id: await rowOf(values),
      });
      return JSON.stringify(answer);
    },
    recordingsOf: async (values) => owner.get(`/view/Bound?id=${await rowOf(values)}`),
    boundToNothing: {
      ...Object.fromEntries(
        [undefined, null, '', ' '].map((phone) => [
          `a relation of a row whose number is ${JSON.stringify(phone)}`,
          async () => owner.get(`/view/Related?id=${await rowOf({ phone })}`),
        ]),
      ),
      ...Object.fromEntries(
        Object.keys(formulasWithoutValue).map((name) => [
          `a formula ${name}`,
          async () => owner.get(`/view/${name}?id=${await rowOf({})}`),
        ]),
      ),
    },
    forEachRow: openForEachRow(saltcorn),
    sendUnattended: async (sms) => {
      await owner.post('/api/Reminders', sms);
    },
    log,
    saveSettings: async (typed) => {
      await typeSettings(typed);
      await saltcorn.submit();
      return page.content();
    },
    testConnection: async (typed) => {
      await typeSettings(typed);
      return saidOf(() => page.getByText('Test connection').click());
    },
    soundOf: (sid) => url + soundOf(sid),
    async *openPages() {
      const [call] = sandbox.calls;
      for (const source of definitions.dataSources) {
        const key =
          source.result.of === 'call' ? `sid=${call?.sid}` : `sid=${sandbox.recordings[0]?.sid}`;
        for (const place of [`/view/${listName(source)}`, `/view/${showName(source)}?${key}`]) {
          await go(place);
          yield place;
        }
      }
    },
    everything: async () => {
      const pages = [
        '/plugins/configure/telephony',
        '/crashlog',
        '/eventlog',
        '/table',
        '/plugins',
      ];
      const shown = await Promise.all(pages.map(async (path) => [path, await owner.get(path)]));
      return {
        ...Object.fromEntries(shown),
        'a pack': await owner.post('/packs/create', { 'plugin.telephony': 'on' }),
        'the output': server.written(),
        'shown pages': browser.shown.join('\n'),
      };
    },
    stranger: {
      send: async () => JSON.stringify(await guest.post('/page/public/action/sms', {})),
      recordings: () => guest.get(recordings),
      listen: (sid) => guest.get(soundOf(sid)),
      testConnection: async () =>
        JSON.stringify(await guest.post('/telephony/test-connection', settings)),
    },
  };
}
