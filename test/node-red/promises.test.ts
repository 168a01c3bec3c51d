import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import desk from '../../demo/node-red/desk.json';
import {
  type App,
  type ForEachRow,
  people,
  type Run,
  type Sms,
  type Typed,
  type vagueFilters,
} from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { openBrowser } from '../support/browser.ts';
import { root } from '../support/root.ts';
import { until } from '../support/until.ts';
import {
  account,
  batchFlow,
  bound,
  operation,
  type Post,
  place,
  previewBatch,
  way,
} from './batch-flow.ts';
import { deskIn } from './node-red-desk.ts';
import { startNodeRedServer } from './node-red-server.ts';

const from = { inputFrom: '+14155550100' };
const hello = { inputBody: 'Hello' };
const typed = { ...bound('To', 'payload.to'), ...bound('Body', 'payload.body') };

/** Ways to bind a filter to a missing value, by the path that triggers each. */
const missing: Record<string, [value: string, type: string]> = {
  'nothing-in-the-flow': ['caller', 'flow'],
  'nothing-in-the-global-context': ['caller', 'global'],
  'an-unset-variable': ['NO_SUCH_VARIABLE', 'env'],
  'an-expression-without-a-result': ['payload.caler', 'jsonata'],
  'a-path-through-nothing': ['payload.caller.number', 'msg'],
  'no-property-of-the-message': ['', 'msg'],
};

const rows = people.map((person, id) => ({ id: id + 1, ...person }));

/** The rows to send, for each filter that selects no one. */
const vagueRows: Record<(typeof vagueFilters)[number], unknown> = {
  'is false': false,
  'is false for everyone': [],
  'is null': null,
  'has no value': undefined,
  'has no value for one of two': [rows[0], null],
  'names a column that does not exist': rows.map(({ name, phone }) => ({ name, fone: phone })),
  'cannot be parsed': 'name.startsWith("Person")',
};

/** Texts each row of a message, with the flow to which the app posts. */
function openForEachRow(post: Post, restart: () => Promise<void>): ForEachRow {
  const openPreview = async (sent: unknown, skipsSent?: boolean): Promise<Run> => {
    const { preview, said, ...run } = await previewBatch(post, sent, skipsSent);
    const question = preview ? `${preview.text}\n${preview.label}` : said;
    const result = async () => (await run.result()).text;
    return { ...run, question, shown: async () => (await run.shown()).text, result };
  };
  return {
    text: ({ name, skipsSent = false }) =>
      openPreview(
        rows.filter((row) => name === undefined || row.name === name),
        skipsSent,
      ),
    textWhere: (filter) => openPreview(vagueRows[filter]),
    restart,
  };
}

/** The demo's desk, and a flow for programs on other machines. */
const flowsFor = ({ password, ...settings }: Service['settings'] & Typed) => [
  ...desk.map((node) =>
    node.id === account ? { ...node, ...settings, credentials: { password } } : node,
  ),
  { id: 'app', type: 'tab', label: 'App' },
  way('recordings', 'recordings'),
  operation('recordings', 'recordings-by-caller-id', bound('From', 'payload.phone'), 'answer'),
  way('sms', 'sms'),
  operation('sms', 'send-sms', { ...from, ...hello, ...bound('To', 'payload.phone') }, 'answer'),
  way('text', 'text'),
  operation('text', 'send-sms', { ...from, ...typed }, 'outcome'),
  {
    ...{ id: 'outcome', type: 'change', ...place, wires: [['answer']] },
    rules: [
      {
        ...{ t: 'set', p: 'payload', pt: 'msg', tot: 'jsonata' },
        to: '"Message to " & payload.to & " " & payload.status',
      },
    ],
  },
  ...Object.entries(missing).flatMap(([path, [value, type]]) => [
    way(path, path),
    operation(path, 'recordings-by-caller-id', bound('From', value, type), 'answer'),
  ]),
  {
    ...{ id: 'failed', type: 'catch', ...place, wires: [['say']] },
    scope: ['recordings', 'sms', 'text', ...Object.keys(missing)],
  },
  {
    ...{ id: 'say', type: 'change', ...place, wires: [['answer']] },
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'error', tot: 'msg' }],
  },
  ...batchFlow,
  {
    ...{ id: 'limit', type: 'telephony-limit-reached', account, ...place },
    wires: [['note']],
  },
  {
    ...{ id: 'note', type: 'function', ...place, wires: [] },
    func: 'const known = flow.get("reached") ?? []; flow.set("reached", [...known, msg.payload]);',
  },
  way('reached', 'read reached'),
  {
    ...{ id: 'read reached', type: 'change', ...place, wires: [['answer']] },
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'reached', tot: 'flow' }],
  },
  // A post to this path returns no outcome, and no node catches errors.
  way('unattended', 'accepted', 'each'),
  {
    ...{ id: 'each', type: 'split', ...place, wires: [['unattended']] },
    ...{ splt: '\\n', spltType: 'str', arraySplt: 1, arraySpltType: 'len', stream: false },
  },
  operation('unattended', 'send-sms', { ...from, ...typed }),
];

const login = { username: 'admin', password: 'Not-a-real-1-password' };
/** What the editor sends for an unchanged password. */
const unchanged = { password: '__PWRD__' };
const json = { 'content-type': 'application/json' };

/** Opens the demo's desk and a flow for programs. All pages of Node-RED need a login. */
async function openInNodeRed(service: Service): Promise<App> {
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

  const request = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(url + path, options);
    return response.text();
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });

  const grant = { client_id: 'node-red-admin', grant_type: 'password', scope: '*', ...login };
  const editor = {
    authorization: `Bearer ${JSON.parse(await post('/auth/token', grant)).access_token}`,
  };
  const pages = { authorization: `Basic ${basic}` };

  const starts = () => written().split('Started flows').length;

  /** Deploys the flows. Node-RED responds before it has started them. */
  async function deploy(settings: Service['settings'] & Typed) {
    const before = starts();
    const said = await post('/flows', flowsFor(settings), editor);
    await until(() => starts() > before);
    return said;
  }
  await deploy(service.settings);

  // When its connection returns, an open page would read its list again, in any later case.
  const leave = () => page.goto('about:blank');

  /** Whether the form of the dashboard has sent something. Further messages are posted to a flow. */
  let isSeen = false;

  async function click({ to, body }: Sms, clicks: number) {
    isSeen = true;
    await page.goto(`${url}/dashboard/desk`);
    // The page reads its list when it opens. The request must count for this case, not the next one.
    await page.waitForFunction(
      "document.querySelector('tbody tr:nth-child(4), .v-snackbar__content')",
    );
    await desk.to.fill(to);
    await desk.message.fill(body);
    await desk.send.click({ clickCount: clicks });
    // The toast disappears after a few seconds, so this waits for it and reads it in one step.
    const toast = await page.waitForFunction<string>(
      "[...document.querySelectorAll('.v-snackbar__content')].at(-1)?.textContent",
    );
    const text = await toast.jsonValue();
    // A form without its outcome asks for it when the page opens again, which would show the toast in the next case.
    await page.waitForFunction("JSON.parse(sessionStorage.getItem('sms')).key === ''");
    await leave();
    return text;
  }

  const audioUrl = (sid: string) => `/telephony/media/${account}/recording/${sid}`;

  const testConnection = (typed: Typed, headers: Record<string, string>) => {
    const { username, baseUrl } = service.settings;
    const values = { username, baseUrl, accountSid: '', ...unchanged, ...typed };
    return post(`/telephony/test-connection/${account}`, values, headers);
  };

  return {
    page,
    // The dashboard's form ignores a second click, so only the form itself can tell whether it does.
    send: (sms, clicks = 1) =>
      clicks > 1 || !isSeen ? click(sms, clicks) : post('/text', sms, pages),
    sendTo: (values) => post('/sms', values, pages),
    recordingsOf: (values) => post('/recordings', values, pages),
    boundToNothing: Object.fromEntries(
      Object.keys(missing).map((path) => [path, () => post(`/${path}`, {}, pages)]),
    ),
    forEachRow: openForEachRow(
      (path, body) => post(path, body, pages),
      async () => {
        await leave();
        const before = starts();
        await server.restart('SIGKILL');
        await until(() => starts() > before);
      },
    ),
    sendUnattended: async (sms) => {
      await post('/unattended', [sms], pages);
    },
    log: async () => written(),
    limitsReached: () => post('/reached', {}, pages),
    saveSettings: (typed) => deploy({ ...service.settings, ...unchanged, ...typed }),
    testConnection: (typed) => testConnection(typed, editor),
    audioUrl: (sid) => url + audioUrl(sid),
    async *openPages() {
      for (const place of ['desk', 'recordings', 'account-calls']) {
        await page.goto(`${url}/dashboard/${place}`);
        await page.locator('tbody tr').nth(3).waitFor();
        yield place;
      }
      await leave();
    },
    everything: async () => {
      const files = readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
        .map(({ parentPath, name }) => join(parentPath, name));
      return {
        ...Object.fromEntries(files.map((file) => [file, readFileSync(file, 'latin1')])),
        'the flows': await request('/flows', { headers: editor }),
        'the credentials': await request(`/credentials/telephony-account/${account}`, {
          headers: editor,
        }),
        'the output': written(),
        'the pages': shown.join('\n'),
      };
    },
    stranger: {
      send: (sms) => post('/unattended', [sms]),
      recordings: () => post('/recordings', {}),
      listen: (sid) => request(audioUrl(sid)),
      testConnection: () => testConnection({}, {}),
    },
  };
}

keepsPromises('node-red', openInNodeRed);
