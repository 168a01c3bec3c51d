import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import desk from '../../demo/saltcorn/desk.json';
import { type DataSource, definitions, recordShape } from '../../src/builder.ts';
import {
  type App,
  type ForEachRow,
  people,
  type Run,
  type Sms,
  type Typed,
  vagueFilters,
} from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { button, embedded } from './app.ts';
import { type OpenSaltcorn, openSaltcorn } from './open-saltcorn.ts';
import { press, viewsIn } from './process/press.ts';
import { admin } from './saltcorn-server.ts';
import { settingsIn } from './saltcorn-settings.ts';
import { Visitor } from './website.ts';

const everyone = 100;
const administrator = 1;
const from = '+14155550100';

const text = (name: string) => ({ name, label: name, type: 'String' });

/** A table that only administrators may read. */
const table = (name: string, rest: object) => ({
  ...{ name, min_role_read: administrator, min_role_write: administrator, fields: [] },
  ...rest,
});

const view = (name: string, viewtemplate: string, shown: string, configuration: object) => ({
  ...{ name, viewtemplate, table: shown, min_role: everyone, configuration },
});

const { dataSources, manifest } = definitions;

/** The table of a data source, and a public list of its rows. */
const listName = ({ name }: DataSource) => `All of ${name}`;

/** The view of one of its rows. */
const showName = ({ name }: DataSource) => `One of ${name}`;

const holdsText = ['text', 'sid', 'phone', 'choice'];

/** Every column of a record, in every field view for text. */
function columnsOf({ result }: DataSource) {
  const columns = recordShape(result.of).fields.flatMap(({ key, type }) =>
    (holdsText.includes(type) ? ['as_text', 'status_badge', 'phone_link'] : ['as_text']).map(
      (fieldview) => ({ field_name: key, fieldview }),
    ),
  );
  return {
    columns: columns.map((column) => ({ ...column, type: 'Field' })),
    fields: columns.map((column) => ({ ...column, type: 'field' })),
  };
}

const listOf = (name: string, columns: string[]) =>
  view(name, 'List', name, {
    columns: columns.map((field_name) => ({ type: 'Field', field_name, fieldview: 'as_text' })),
    layout: {
      list_columns: true,
      besides: columns.map((field_name) => ({
        header_label: field_name,
        contents: { type: 'field', field_name, fieldview: 'as_text' },
      })),
    },
    default_state: { _rows_per_page: 100 },
  });

function viewsOf(source: DataSource) {
  const { columns, fields } = columnsOf(source);
  const besides = fields.map((contents) => ({ contents, header_label: contents.field_name }));
  return [
    view(listName(source), 'List', listName(source), {
      columns,
      layout: { list_columns: true, besides },
      default_state: { _rows_per_page: 100 },
    }),
    view(showName(source), 'Show', listName(source), { columns, layout: { above: fields } }),
  ];
}

const toRow = button('sms', 'Send SMS', { from, to: '{{ phone }}', body: 'Hello' });

const recordings = 'All of Recordings by caller id';

/** The formula in *Only where* for each filter that selects no one. */
const formulas: Record<(typeof vagueFilters)[number], string> = {
  'is false': 'false',
  'is false for everyone': 'user.id === 99',
  'is null': 'null',
  'has no value': '{ name: user.nickname }',
  'has no value for one of two': '{ or: [{ name: "Person 1" }, { name: user.nickname }] }',
  'names a column that does not exist': '{ nmae: "Person 1" }',
  'cannot be parsed': 'name.startsWith("Person")',
};

const forEachRow = (rndid: string, rest: object = {}) =>
  button(rndid, 'Send SMS for each row', {
    ...{ rows_table: 'Customers', rows_of_page: true, rows_limit: 100 },
    ...{ from, to: '{{ phone }}', body: 'Hello', ...rest },
  });

const page = (name: string, min_role: number, ...above: object[]) => ({
  ...{ name, title: name, description: '', min_role, fixed_states: {} },
  ...{ layout: { above }, root_page_for_roles: [] },
});

/** Views that bind a list of recordings to a value that the row does not have. */
const formulasWithoutValue = {
  'of a column that there is none of': '{ from: fone }',
  'of what is undefined': '{ from: undefined }',
  'of null': '{ from: null }',
};
const related = 'Recordings of a row';

/** A view of a row, with a list of recordings. */
const showing = (name: string, list: object) =>
  view(name, 'Show', 'Bound', {
    columns: [],
    layout: { above: [{ type: 'view', name, state: 'shared', ...list }] },
  });

/** The desk of the demo, with further pages that show all records, and public ones. */
const pack = {
  ...desk,
  tables: [
    ...desk.tables,
    table('Bound', { fields: [text('phone')] }),
    table('Reached', { fields: [text('record')] }),
    table('Reminders', { fields: [text('to'), text('body')] }),
    table(related, {
      provider_name: `${manifest.name}: Recordings by caller id`,
      provider_cfg: { key_from: 'Bound.phone' },
    }),
    ...dataSources.map((source) =>
      table(listName(source), { provider_name: `${manifest.name}: ${source.name}` }),
    ),
  ],
  views: [
    ...desk.views,
    ...dataSources.flatMap(viewsOf),
    view('Bound', 'Show', 'Bound', {
      columns: [{ ...toRow, type: 'Action' }],
      layout: {
        above: [
          toRow,
          {
            ...{ type: 'view', name: 'theirs', view: `Independent:${recordings}`, state: 'local' },
            extra_state_fml: '{ from: phone }',
          },
        ],
      },
    }),
    listOf(related, ['sid']),
    listOf('Customers', ['name', 'phone']),
    showing('Related', { relation: `.Bound.${related}$fromRow`, view: related }),
    ...Object.entries(formulasWithoutValue).map(([name, extra_state_fml]) =>
      showing(name, { view: `Independent:${recordings}`, extra_state_fml }),
    ),
  ],
  pages: [
    ...desk.pages,
    page(
      'public',
      everyone,
      button('sms', 'Send SMS', { from, to: '+12025550220', body: 'Hello' }),
    ),
    page(
      'each',
      administrator,
      forEachRow('everyone shown'),
      ...vagueFilters.map((filter) => forEachRow(filter, { rows_where: formulas[filter] })),
      embedded('Customers'),
    ),
  ],
  triggers: [
    {
      ...{ name: 'Remind', action: 'Send SMS', when_trigger: 'Insert', table_name: 'Reminders' },
      configuration: { from, to: '{{ to }}', body: '{{ body }}' },
      min_role: administrator,
    },
    {
      ...{ name: 'Warn', action: 'run_js_code', when_trigger: 'Limit reached' },
      configuration: {
        code: "await Table.findOne({ name: 'Reached' }).insertRow({ record: JSON.stringify(row) });",
        run_where: 'Server',
      },
      min_role: administrator,
    },
  ],
};

/** The text of a page or of a part of one. */
const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

/** A toast as the server sends it, with its times as the browser gets them: that shows them in its own zone. */
const withTimes = (toast: unknown) =>
  JSON.stringify(toast).replace(
    /<telephony-time.*?<time datetime=\\"(.*?)\\".*?<\/telephony-time>/g,
    '$1',
  );

/**
 * The batch buttons of a page. A new tab shows the first batch of all people, and those for which it matters what the page shows. Other
 * batches are the same requests, which are sent without the browser.
 */
function openForEachRow({ browser, server, url }: OpenSaltcorn, owner: Visitor): ForEachRow {
  const path = '/page/each';
  const ofAll = 'everyone shown';
  let isSeen = false;

  async function inBrowser(query: string, script = ''): Promise<Run> {
    const page = await browser.page.context().newPage();
    await page.goto(url + path + query);
    if (script) await page.evaluate(script);
    await page.getByText(ofAll, { exact: true }).first().click();
    const popup = page.locator('#scmodal.show .modal-body');
    await popup.waitFor();
    const choice = popup.locator('input[id^="skipsSent-"]');
    if (await choice.isVisible()) {
      const id = await choice.getAttribute('id');
      await choice.click();
      // The checkbox changes with the click, and later another preview replaces it.
      await popup.locator(`[id="${id}"]`).waitFor({ state: 'detached' });
    }
    const question = (await popup.textContent()) ?? '';
    const shown = await popup.locator('[id^="run-"]').last().getAttribute('id');
    const run = `/telephony/run/${shown?.replace('run-', '')}`;
    const choose = async (name: RegExp, next: string) => {
      const answered = page.waitForResponse(`**${run}/${next}`);
      await popup.getByRole('button', { name }).click();
      await answered;
    };
    return {
      question,
      start: () => choose(/^Send \d/, 'start'),
      stop: () => choose(/^Stop/, 'stop'),
      shown: async () => (await popup.textContent()) ?? '',
      result: async () => {
        await popup.locator('.alert[role=status]').waitFor();
        const said = await popup.textContent();
        await page.close();
        return said ?? '';
      },
    };
  }

  async function again(label: string, skipsSent?: boolean): Promise<Run> {
    const shown = { url: path, views: viewsIn(await owner.get(path)) };
    const to = `${path}/action/${encodeURIComponent(label)}`;
    const { popup, ...answer } = await press(owner, to, shown);
    let part = popup ? await owner.get(popup) : JSON.stringify(answer);
    if (!skipsSent && part.includes('id="skipsSent-'))
      part = await owner.post(`${popup}/skipsSent-no`, {});
    // The choice opens another preview.
    const [, key] = /id="run-([\w-]+)"/.exec(part) ?? [];
    const run = `/telephony/run/${key}`;
    return {
      question: textOf(part),
      start: () => owner.post(`${run}/start`, {}),
      stop: () => owner.post(`${run}/stop`, {}),
      shown: async () => textOf(await owner.get(`${run}/part`)),
      result: async () => {
        let last = '';
        await until(async () => {
          last = await owner.get(`${run}/part`);
          return /alert[^>]*role="status"/.test(last);
        });
        return textOf(last);
      },
    };
  }

  return {
    text: ({ name, sendsNoReferer, skipsSent }) => {
      if (isSeen && !name) return again(ofAll, skipsSent);
      isSeen ||= !name;
      return inBrowser(
        name ? `?name=${encodeURIComponent(name)}` : '',
        sendsNoReferer &&
          `document.head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">')`,
      );
    },
    textWhere: (filter) => again(filter),
    restart: () => server.restart('SIGKILL'),
  };
}

const audioUrl = (sid: string) => `/telephony/media/${encodeURIComponent(recordings)}/${sid}`;

function files() {
  const folder = temporaryFolder('promises');
  const write = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  return { pack: write('pack.json', pack), customers: write('customers.json', people) };
}

/** Opens the desk of the demo and further pages. */
async function openInSaltcorn({ sandbox, settings }: Service): Promise<App> {
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

  /** Does something on a page, and returns the new toast. */
  const toastOf = async (act: () => Promise<void>) => {
    const answer = toasts.nth(await toasts.count());
    await act();
    await answer.waitFor();
    return (await answer.textContent()) ?? '';
  };

  /** What the browser sends when someone presses the button of the form, once someone has. */
  let clicked: { path: string; body: object } | undefined;

  /** Types an SMS into the form of a page. Further messages are the same request, which is sent without the browser. */
  async function click(sms: Sms, clicks: number) {
    await go('/');
    await page.getByLabel('To').fill(sms.to);
    await page.getByLabel('Body').fill(sms.body);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    const said = await toastOf(() =>
      page.getByText('Send', { exact: true }).click({ clickCount: clicks }),
    );
    const request = await sent;
    const fields = (request.postData() ?? '').matchAll(/ name="([^"]+)"\r\n\r\n(.*?)\r\n--/gs);
    const typed = [...fields].map(([, name = '', value]) => [name, value]);
    const { _csrf, ...body } = Object.fromEntries(typed);
    clicked = { path: request.url().slice(url.length), body };
    return said;
  }

  const rowOf = async (values: object) => {
    const made = await owner.post('/api/Bound', values);
    return made.success;
  };

  const log = async () => {
    const text = await owner.get('/crashlog');
    const [newest] = text.match(/\/crashlog\/\d+/) ?? [];
    return newest ? text + (await owner.get(newest)) : text;
  };

  const typeSettings = async (typed: Typed) => {
    await settingsPage.open();
    await settingsPage.unfold();
    await settingsPage.fill(typed);
  };

  return {
    page,
    send: async (sms, clicks = 1) => {
      if (!clicked) return click(sms, clicks);
      const { path, body } = clicked;
      // A page tells its clicks apart from those of another page.
      await owner.get('/');
      const send = async () => withTimes(await owner.post(path, { ...body, ...sms }));
      // Only one of them gets the success, not always the first.
      return (await Promise.all(Array.from({ length: clicks }, send))).join('\n');
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
    forEachRow: openForEachRow(saltcorn, owner),
    sendUnattended: async (sms) => {
      await owner.post('/api/Reminders', sms);
    },
    log,
    limitsReached: () => owner.get('/api/Reached'),
    saveSettings: async (typed) => {
      await typeSettings(typed);
      await saltcorn.submit();
      return page.content();
    },
    testConnection: async (typed) => {
      await typeSettings(typed);
      return toastOf(() => page.getByText('Test connection').click());
    },
    audioUrl: (sid) => url + audioUrl(sid),
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
      recordings: () => guest.get(`/view/${recordings}`),
      listen: (sid) => guest.get(audioUrl(sid)),
      testConnection: async () =>
        JSON.stringify(await guest.post('/telephony/test-connection', settings)),
    },
  };
}

keepsPromises('saltcorn', openInSaltcorn);
