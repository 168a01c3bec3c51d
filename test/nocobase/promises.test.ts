import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { addPages } from '../../demo/nocobase/desk.ts';
import type { Visitor } from '../../demo/nocobase/visitor.ts';
import {
  actionOf,
  type BatchView,
  batchPart,
  batchText,
  definitions,
  inEnglish,
  isList,
  recordShape,
  sentence,
} from '../../src/builder.ts';
import {
  type App,
  type ForEachRow,
  people,
  type Run,
  type ShownPeople,
  type Sms,
  type vagueFilters,
} from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { logIn, type NocobaseServer, startNocobase, startTimeoutMs } from './nocobase-server.ts';
import { openPage } from './open-page.ts';
import {
  addWorkflow,
  addWorkflowOnTable,
  newestJob,
  type TableWithWorkflow,
} from './workflow-on-table.ts';

const { id } = definitions.manifest;

/** The response as text, or the error. */
const textOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (answer) => JSON.stringify(answer),
    (error) => String(error.message),
  );

const button = 'Send SMS for several rows';
const columns = {
  to: '{{ ctx.record.phone }}',
  from: '+15005550006',
  body: 'Your table is ready.',
};

/** A page of people with a button that texts the selected ones. */
const peoplePage = {
  ...{ title: 'People', icon: 'TeamOutlined' },
  blocks: [
    {
      ...{ collection: 'people', pageSize: 50, rowButtons: [] },
      buttons: [
        { use: 'TelephonySendSmsSelectedRowsActionModel', run: { ...columns, ask: false } },
      ],
      columns: ['name', 'phone'].map((field) => ({ field, use: 'DisplayTextFieldModel' })),
    },
  ],
};

/** Adds the table of people. */
async function addPeople(admin: Visitor) {
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const texts = ['name', 'phone'].map((name) => ({ name, type: 'string', interface: 'input' }));
  await admin.request('collections:create', {
    ...{ name: 'people', title: 'People', autoGenId: false, template: 'general' },
    fields: [id, ...texts],
  });
  for (const person of people) await admin.request('people:create', person);
}

/** Selections and values that a browser could send. */
const vague: Record<(typeof vagueFilters)[number], { rows?: unknown; to?: unknown }> = {
  'is false': { rows: false },
  'is false for everyone': { rows: [false, false] },
  'is null': { rows: null },
  'has no value': {},
  'has no value for one of two': { rows: [1, null] },
  'names a column that does not exist': { rows: [1], to: [{ column: 'fone' }] },
  'cannot be parsed': { rows: { $ne: 1 } },
};

const builder = { name: 'NocoBase', table: 'People', toRepeat: () => sentence('use its button') };

/** What the dialog of a batch says, and its buttons. */
function textOfBatch(view: BatchView): string {
  const part = batchPart(actionOf('send-sms'), view, builder);
  return [batchText(part), ...part.buttons.map(({ label }) => inEnglish(label))].join('\n');
}

/** What the browser sends when someone presses a button, once someone has. */
type Pressed = Record<string, unknown> | undefined;

/** The body of the next request of a page to an action of the plugin. */
const bodyOf = async (page: Page, action: string): Promise<Pressed> =>
  (await page.waitForRequest(`**/${id}${action}`)).postDataJSON();

/**
 * Selects people and presses the button in the browser: the first time, and if it matters which rows the page shows. A batch of all
 * people is the same request each time, so then it is sent without the browser.
 */
function openForEachRow(
  { url, admin, restart }: NocobaseServer,
  { page }: { page: Page },
  path: string,
): ForEachRow {
  let asked: Pressed;
  let isRestarted = false;

  async function pressed(name?: string, script?: string) {
    await openPage(page, url + path);
    if (script) await page.evaluate(script);
    const rows = page.locator('tr.ant-table-row:visible');
    await rows.nth(people.length - 1).waitFor();
    const own = rows.filter({ has: page.getByText(name ?? '', { exact: true }) });
    const places = name ? own : page.locator('thead:visible');
    // A row shows its number instead of its checkbox until the mouse is over it.
    // If the table is drawn again meanwhile, the checkbox is hidden until the mouse comes back.
    await until(async () => {
      await page.mouse.move(0, 0);
      await places.locator('.ant-table-selection-column').hover();
      const box = places.locator('input[type=checkbox]');
      return box.check({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    const body = bodyOf(page, 'Runs:preview');
    await page.getByRole('button', { name: button }).click();
    const dialog = page.locator('.ant-modal:visible');
    await dialog.locator('.telephony-run-preview').waitFor();
    return { dialog, body: await body };
  }

  async function choose(dialog: Locator, label: RegExp, step: string) {
    const answered = page.waitForResponse(`**/telephonyRuns:${step}`);
    // By keyboard, because a dialog that is still opening can move away from the mouse.
    await dialog.getByRole('button', { name: label, disabled: false }).press('Enter');
    await (await answered).finished();
  }

  /** Presses the button, and opens the last batch from there. */
  async function lastBatch(): Promise<Locator> {
    const { dialog } = await pressed();
    await dialog.getByRole('button', { name: 'View batch' }).click();
    return dialog;
  }

  const textOfEnd = async (dialog: Locator) => {
    const end = dialog.locator('.telephony-run-ended, .telephony-run-interrupted');
    return (await end.textContent()) ?? '';
  };

  async function inBrowser({ name, sendsNoReferer }: ShownPeople): Promise<Run> {
    const script = `document.head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">')`;
    const { dialog, body } = await pressed(name, sendsNoReferer && script);
    if (!name) asked = body;
    const choice = dialog.locator('.ant-alert').filter({ hasText: 'This was already sent' });
    if (await choice.isVisible()) {
      await choice.getByLabel('Skip these rows').press('Space');
      await choice.getByRole('checkbox', { checked: false }).waitFor();
    }
    const shown = async () => (await dialog.textContent()) ?? '';
    return {
      ...{ question: await shown(), shown },
      start: () => choose(dialog, /^Send \d/, 'start'),
      stop: () => choose(dialog, /^Stop/, 'stop'),
      result: async () => {
        const said = await textOfEnd(dialog);
        // Only a load takes the script's effect back.
        if (sendsNoReferer) await page.goto('about:blank');
        return said;
      },
    };
  }

  const call = async (step: string, values: object = {}) =>
    (await admin.request(`telephonyRuns:${step}`, values)) as BatchView;

  async function again({ skipsSent }: ShownPeople): Promise<Run> {
    let view = await call('preview', asked);
    if (!skipsSent && view.repeated?.isSkipped)
      view = await call('choose', { key: view.key, skipsSent: false });
    const { key } = view;
    return {
      question: textOfBatch(view),
      start: async () => void (await call('start', { key })),
      stop: async () => choose(await lastBatch(), /^Stop/, 'stop'),
      shown: async () => textOfBatch(await call('see', { key })),
      result: async () => {
        if (isRestarted) return textOfEnd(await lastBatch());
        await until(async () => (await call('see', { key })).state !== 'running');
        return textOfBatch(await call('see', { key }));
      },
    };
  }

  return {
    text: (shown) => (asked && !shown.name ? again(shown) : inBrowser(shown)),
    textWhere: async (filter) => {
      const { rows, to = [{ column: 'phone' }] } = vague[filter];
      const input = { from: [columns.from], to, body: [columns.body] };
      const asked = { action: 'send-sms', dataSource: 'main', collection: 'people', rows, input };
      const question = await textOf(admin.request('telephonyRuns:preview', asked));
      const never = async () => Promise.reject(new Error('There is no preview.'));
      return { question, start: never, stop: never, shown: never, result: never };
    },
    restart: async () => {
      // An open page would load again at once.
      await page.goto('about:blank');
      // Without its PostgreSQL, which is shut down cleanly.
      await restart('SIGTERM');
      isRestarted = true;
    },
  };
}

const sender = '+15005550006';
const node = (id: string) => `${definitions.manifest.id}-${id}`;

/** Tables with a workflow that runs when a row is added. */
const tables: TableWithWorkflow[] = [
  {
    ...{ name: 'recipients', columns: ['phone', 'fone'], isAwaited: true },
    nodes: [
      {
        type: node('send-sms'),
        input: { from: sender, to: '{{$context.data.phone}}', body: 'Your table is ready.' },
      },
    ],
  },
  {
    ...{ name: 'callers', columns: ['phone', 'fone'], isAwaited: true },
    nodes: [{ type: node('recordings-by-caller-id'), input: { from: '{{$context.data.phone}}' } }],
  },
  {
    ...{ name: 'reminders', columns: ['to', 'body'], isAwaited: false },
    nodes: [
      {
        type: node('send-sms'),
        input: { from: sender, to: '{{$context.data.to}}', body: '{{$context.data.body}}' },
      },
    ],
  },
];

const ofUser = [
  {
    ...{ collection: 'recordings_by_caller_id', where: { from: '{{ ctx.user.phone }}' } },
    ...{ buttons: [], rowButtons: [] },
    columns: [{ field: 'sid', use: 'DisplayTextFieldModel', width: 340 }],
  },
];
const form = [
  {
    ...{ collection: 'reminders', rowButtons: [], columns: [] },
    buttons: [{ use: 'TelephonySendSmsActionModel', run: { from: sender, ask: true } }],
  },
];

/** The default models of NocoBase and the plugin for columns that are not text. */
const shownWith: Record<string, string> = {
  choice: 'DisplayEnumFieldModel',
  date: 'DisplayDateTimeFieldModel',
  integer: 'DisplayNumberFieldModel',
  number: 'DisplayNumberFieldModel',
  phone: 'TelephonyPhoneFieldModel',
};
const text = 'DisplayTextFieldModel';

/** A page with all columns of each kind of record that the table of promises can list without input, and without a sister host. */
const lists = definitions.dataSources
  .filter((source) => isList(source) && !source.fields.some(({ required }) => required))
  .filter(({ result, request }) => result.of !== 'message' && !request.host)
  .filter(
    ({ result: { of } }, index, all) => all.findIndex(({ result }) => result.of === of) === index,
  )
  .map(({ id, name, result }) => ({
    ...{ title: name, icon: 'TableOutlined' },
    blocks: [
      {
        ...{ collection: id.replaceAll('-', '_'), buttons: [], rowButtons: [] },
        columns: [
          ...recordShape(result.of).fields.map(({ key, type }) => ({
            ...{ field: key, use: shownWith[type] ?? text },
          })),
          ...(recordShape(result.of).media
            ? [{ field: 'media', use: 'TelephonyPlayerFieldModel' }]
            : []),
        ],
      },
    ],
  }));

/** The tables, workflows and pages for the table of promises, in addition to the demo's desk, by path. */
async function addParts(admin: Visitor) {
  for (const table of tables) await addWorkflowOnTable(admin, table);
  const limitReached = { title: 'Warn', type: node('limit-reached'), config: {} };
  const warn = await addWorkflow(admin, { ...limitReached, isAwaited: false, nodes: [] });
  const icon = 'PhoneOutlined';
  await addPeople(admin);
  const [sms = '', people = ''] = await addPages(admin, 'main', [
    { title: 'Send', icon, blocks: form },
    peoplePage,
  ]);
  const [own = '', ...all] = await addPages(admin, definitions.manifest.id, [
    { title: 'My recordings', icon, blocks: ofUser },
    ...lists,
  ]);
  return { sms, people, own, all, warn };
}

const recordings = 'recordings_by_caller_id:list';

/** The log also contains requests with their values. */
const errorsIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
    .join('\n');

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));

/** The content of a file; empty if PostgreSQL has removed it since it was listed. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Opens the desk of the demo, and further tables, workflows and pages. */
async function openInNocobase({ settings }: Service): Promise<App> {
  const server = await startNocobase(settings);
  const { url, home, written, admin: owner } = server;
  const member = await server.openMember();
  const paths = await addParts(owner);
  const { page, shown } = await openBrowser('promises-nocobase');
  await logIn(page, `${url}/v/admin`);

  const { data } = (await owner.read(id, recordings, { pageSize: 200 })) as {
    data: { sid: string; media?: string }[];
  };
  const audioUrls = new Map(data.map(({ sid, media }) => [sid, media]));

  /** The rows of a table whose data scope is bound to the user's number. */
  async function shownOf(phone: string | null) {
    await owner.request('users:update?filterByTk=1', { phone });
    const answered = page.waitForResponse((response) => response.url().includes(recordings));
    // The client reads the user when it is loaded.
    await page.goto(url + paths.own);
    return (await answered).text();
  }
  if (!/\bRE\w{32}/.test(await shownOf('+12025550143')))
    throw new Error('A table that is bound to a number shows no row.');

  /** Waits until all workflows have ended: what was started with other settings ends with them. */
  const untilIdle = () =>
    until(async () => {
      const query = 'executions:list?sort=-id&pageSize=20&fields=id,status';
      const all = (await owner.request(query)) as { status: number | null }[];
      return all.every(({ status }) => status);
    });

  let clicked: Pressed;

  /** Types an SMS into the form of a page. Further messages are the same request, which is sent without the browser. */
  async function click({ to, body }: Sms, clicks: number) {
    await openPage(page, url + paths.sms);
    await page.getByRole('button', { name: 'Send SMS' }).click();
    const form = page.locator('.ant-modal:visible');
    await form.getByLabel('To').fill(to);
    await form.locator('textarea').fill(body);
    const sent = bodyOf(page, 'Actions:send-sms');
    await form.getByRole('button', { name: 'Send SMS' }).click({ clickCount: clicks });
    clicked = await sent;
    const notice = page.locator(
      '.ant-message-notice, .ant-modal .ant-alert, .ant-form-item-explain-error',
    );
    await notice.first().waitFor();
    return (await notice.first().textContent()) ?? '';
  }

  const save = (values: object) =>
    textOf(owner.request(`${id}Accounts:save`, { ...settings, password: '', key: id, ...values }));
  const test = (visitor: Visitor, values: object) =>
    textOf(
      visitor.request(`${id}Accounts:test`, { ...settings, password: '', key: id, ...values }),
    );

  return {
    page,
    send: async (sms, clicks = 1) => {
      if (!clicked) return click(sms, clicks);
      const { input, ...place } = clicked;
      const send = () =>
        textOf(
          owner.request(`${id}Actions:send-sms`, { ...place, input: { ...Object(input), ...sms } }),
        );
      // Only one of them gets the success, not always the first.
      return (await Promise.all(Array.from({ length: clicks }, send))).join('\n');
    },
    sendTo: async (values) => {
      await owner.request('recipients:create', values);
      return JSON.stringify(await newestJob(owner));
    },
    recordingsOf: async (values) => {
      await owner.request('callers:create', values);
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
      await owner.request('reminders:create', sms);
    },
    log: async () => errorsIn(written()),
    limitsReached: () =>
      textOf(owner.request(`executions:list?filter[workflowId]=${paths.warn}&fields=id,context`)),
    saveSettings: async (typed) => {
      await untilIdle();
      return save(typed);
    },
    testConnection: (typed) => test(owner, typed),
    audioUrl: (sid) => url + (audioUrls.get(sid) ?? ''),
    async *openPages() {
      for (const path of paths.all) {
        await openPage(page, url + path);
        await page.locator('tr.ant-table-row:visible').first().waitFor();
        yield path;
      }
    },
    everything: async () => ({
      ...Object.fromEntries(filesIn(home).map((file) => [file, contentOf(file)])),
      'the accounts': await textOf(owner.request(`${id}Accounts:list`)),
      'the data sources': await textOf(owner.request('dataSources:list?appends=collections')),
      'the workflows': await textOf(owner.request('jobs:list?pageSize=200')),
      'the output': written(),
      'shown pages': shown.join('\n'),
    }),
    stranger: {
      send: (input) => textOf(member.request(`${id}Actions:send-sms`, { input })),
      recordings: () => textOf(member.read(id, recordings, {})),
      listen: (sid) =>
        textOf(
          member.request(
            `${id}Media:play?${new URLSearchParams({ account: id, shape: 'recording', key: sid })}`,
          ),
        ),
      testConnection: () => test(member, {}),
    },
  };
}

keepsPromises('nocobase', openInNocobase, startTimeoutMs);
