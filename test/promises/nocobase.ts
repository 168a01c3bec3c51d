import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Visitor } from '../../demo/nocobase/visitor.ts';
import { definitions } from '../../src/index.ts';
import { openBrowser } from '../browser/browser.ts';
import { logIn, startNocobase } from '../nocobase/nocobase-server.ts';
import { newestJob } from '../nocobase/workflow-on-table.ts';
import type { App } from './app.ts';
import { openForEachRow } from './nocobase-for-each-row.ts';
import { addParts } from './nocobase-parts.ts';
import type { Service } from './service.ts';

const { id } = definitions.manifest;
const recordings = 'recordings_by_caller_id:list';

/** What is answered, or why not. */
const said = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (answer) => JSON.stringify(answer),
    (error) => String(error.message),
  );

/** Requests are in the log, too, with what is in them. */
const errorsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .join('\n');

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));

/** Opens the desk of the demo, and tables, workflows and pages beside it. */
export async function openInNocobase({ settings }: Service): Promise<App> {
  const server = await startNocobase(settings);
  const { url, home, written, admin: owner } = server;
  const member = await server.openMember();
  const paths = await addParts(owner);
  const { page, shown } = await openBrowser('promises-nocobase');
  await logIn(page, `${url}/v/admin`);

  const { data } = (await owner.read(id, recordings, { pageSize: 200 })) as {
    data: { sid: string; media?: string }[];
  };
  const sounds = new Map(data.map(({ sid, media }) => [sid, media]));

  /** What a table shows whose data scope is bound to the number of the user. */
  async function shownOf(phone: string | null) {
    await owner.ask('users:update?filterByTk=1', { phone });
    const answered = page.waitForResponse((response) => response.url().includes(recordings));
    await page.goto(url + paths.own);
    return (await answered).text();
  }
  if (!/\bRE\w{32}/.test(await shownOf('+12025550143')))
    throw new Error('A table that is bound to a number shows nobody.');

  const save = (values: object) =>
    said(owner.ask(`${id}Accounts:save`, { ...settings, password: '', key: id, ...values }));
  const test = (visitor: Visitor, values: object) =>
    said(visitor.ask(`${id}Accounts:test`, { ...settings, password: '', key: id, ...values }));

  return {
    page,
    send: async ({ to, body }, clicks = 1) => {
      await page.goto(url + paths.sms);
      await page.getByRole('button', { name: 'Send SMS' }).click();
      const form = page.locator('.ant-modal:visible');
      await form.getByLabel('To').fill(to);
      await form.locator('textarea').fill(body);
      await form.getByRole('button', { name: 'Send SMS' }).click({ clickCount: clicks });
      const told = page.locator(
        '.ant-message-notice, .ant-modal .ant-alert, .ant-form-item-explain-error',
      );
      await told.first().waitFor();
      return (await told.first().textContent()) ?? '';
    },
    sendTo: async (values) => {
      await owner.ask('recipients:create', values);
      return JSON.stringify(await newestJob(owner));
    },
    recordingsOf: async (values) => {
      await owner.ask('callers:create', values);
      return JSON.stringify(await newestJob(owner));
    },
    boundToNothing: Object.fromEntries(
      [null, '', ' '].map((phone) => [
        `a table whose data scope is a number that is ${JSON.stringify(phone)}`,
        () => shownOf(phone),
      ]),
    ),
    forEachRow: openForEachRow(server, { page }, paths.people),
    sendUnattended: async (sms) => {
      await owner.ask('reminders:create', sms);
    },
    log: async () => errorsIn(written()),
    saveSettings: (typed) => save(typed),
    testConnection: (typed) => test(owner, typed),
    soundOf: (sid) => url + (sounds.get(sid) ?? ''),
    async *openPages() {
      for (const path of paths.all) {
        await page.goto(url + path);
        await page.locator('tr.ant-table-row:visible').nth(3).waitFor();
        yield path;
      }
    },
    everything: async () => ({
      ...Object.fromEntries(filesIn(home).map((file) => [file, readFileSync(file, 'latin1')])),
      'the accounts': await said(owner.ask(`${id}Accounts:list`)),
      'the data sources': await said(owner.ask('dataSources:list?appends=collections')),
      'the workflows': await said(owner.ask('jobs:list?pageSize=200')),
      'the output': written(),
      'shown pages': shown.join('\n'),
    }),
    stranger: {
      send: (input) => said(member.ask(`${id}Actions:send-sms`, { input })),
      recordings: () => said(member.read(id, recordings, {})),
      listen: (sid) =>
        said(
          member.ask(
            `${id}Media:play?${new URLSearchParams({ account: id, shape: 'recording', key: sid })}`,
          ),
        ),
      testConnection: () => test(member, {}),
    },
  };
}
