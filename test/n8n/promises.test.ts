import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import desk from '../../demo/n8n/desk.json';
import type { App, Sms, Typed } from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { browserId, chain, fetchAnew, startN8n, type WorkflowNode } from './n8n-server.ts';

const telephony = 'n8n-nodes-telephony.telephony';
const from = { __rl: true, mode: 'value', value: '+14155550100' };

/** The login of the webhooks and the form, which strangers don't have. */
const login = { user: 'app', password: 'Not-a-real-1-password' };
const basic = Buffer.from(`${login.user}:${login.password}`).toString('base64');
const pages = { authorization: `Basic ${basic}` };

/** What n8n's pages send for a password that is left as it is. */
const unchanged = { password: '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6' };

/** Expressions without a value, by the path of the webhook that uses each. */
const missing: Record<string, string> = {
  'a-misspelt-name': '={{ $json.body.caler }}',
  'a-path-through-nothing': '={{ $json.body.caller.number }}',
  'nothing-in-another-node': `={{ $('a-misspelt-name').first().json.caller }}`,
  'a-variable-that-is-not-set': '={{ $vars.caller }}',
  null: '={{ null }}',
  'an-empty-text': '',
  'a-text-of-spaces': '={{ "  " }}',
};

const onPhone = '={{ $json.body.phone }}';
const listNode = (filter: string) => ({
  parameters: {
    ...{ resource: 'recording', operation: 'recordings-by-caller-id', returnAll: true },
    options: { from: filter },
  },
});
const smsNode = (to: string, body: string) => ({
  parameters: { ...{ resource: 'message', operation: 'send-sms' }, from, to, body },
});

/** What a program can request: a webhook, and the node that follows it. */
const requests: Record<string, { parameters: object }> = {
  sms: smsNode(onPhone, 'Hello'),
  recordings: listNode(onPhone),
  ...Object.fromEntries(Object.entries(missing).map(([path, filter]) => [path, listNode(filter)])),
};

/** A webhook that only programs with the login may call. */
const webhook = (path: string, credentials: object, options: object): WorkflowNode => ({
  ...{ type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path, credentials },
  parameters: { ...{ httpMethod: 'POST', path, authentication: 'basicAuth' }, ...options },
});

/** The workflow that programs request. It responds with the items or the error. */
function answering(credentials: object) {
  const nodes: [string, WorkflowNode][] = Object.entries(requests).flatMap(([path, node]) => [
    [path, webhook(path, credentials, { responseMode: 'lastNode', responseData: 'allEntries' })],
    [`node ${path}`, { type: telephony, onError: 'continueRegularOutput', ...node }],
  ]);
  const audio = { httpMethod: 'GET', responseMode: 'lastNode', responseData: 'firstEntryBinary' };
  nodes.push(
    ['unattended', webhook('unattended', credentials, { responseMode: 'onReceived' })],
    [
      'node unattended',
      { type: telephony, ...smsNode('={{ $json.body.to }}', '={{ $json.body.body }}') },
    ],
    ['audio', webhook('audio', credentials, audio)],
    [
      'node audio',
      {
        type: telephony,
        parameters: { resource: 'recording', operation: 'download', sid: '={{ $json.query.sid }}' },
      },
    ],
  );
  const paths = nodes.map(([name]) => name).filter((name) => !name.startsWith('node '));
  const connections = Object.assign({}, ...paths.map((path) => chain(path, `node ${path}`)));
  return [Object.fromEntries(nodes), connections] as const;
}

/** The form of the demo, behind the login. */
function formOfDesk(credentials: object) {
  const form = desk.find(({ name }) => name === 'A form that texts');
  if (!form) throw new Error('The demo has no form.');
  const nodes = form.nodes.map(({ name, id: _, credentials: __, ...node }) => {
    const guard = { credentials, parameters: { ...node.parameters, authentication: 'basicAuth' } };
    return [name, { ...node, ...(node.type.endsWith('formTrigger') && guard) }];
  });
  return [Object.fromEntries(nodes), form.connections] as const;
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

async function openInN8n(service: Service): Promise<App> {
  const { username } = service.settings;
  const [n8n, browser] = await Promise.all([
    startN8n(service.settings),
    openBrowser('promises-n8n'),
  ]);
  const { rest, create, activate, server, credential } = n8n;
  const { url, home, written } = server;
  const { page, shown } = browser;
  const guard = { name: 'Login', type: 'httpBasicAuth' };
  const { id, name } = await rest('POST', '/credentials', { ...guard, data: login });
  const credentials = { [guard.type]: { id, name } };
  for (const [nodes, connections] of [answering(credentials), formOfDesk(credentials)])
    await activate(await create(nodes, connections));
  const warn = await create(
    {
      Limit: { type: 'n8n-nodes-telephony.telephonyLimitTrigger', parameters: {} },
      Note: { type: 'n8n-nodes-base.noOp' },
    },
    chain('Limit', 'Note'),
  );
  await activate(warn);
  await page.context().setHTTPCredentials({ username: login.user, password: login.password });
  const [cookieName = '', value = ''] = n8n.cookie().split('=');
  await page.context().addCookies([{ name: cookieName, value, url }]);
  await page.addInitScript(`localStorage.setItem('n8n-browserId', '${browserId}')`);

  async function post(path: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetchAnew(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return response.text();
  }
  const request = (path: string, body: object) => post(`/webhook/${path}`, body, pages);
  // n8n registers webhooks a little later.
  await until(async () => !(await post('/webhook/sms', {})).includes('is not registered'));
  await until(async () => (await fetchAnew(`${url}/form/text-someone`, { headers: pages })).ok);

  const audioUrl = (sid: string) => `${url}/webhook/audio?sid=${sid}`;
  const settings = (typed: Typed) => ({
    ...{ ...credential, type: 'telephonyApi' },
    data: {
      ...{ username, baseUrl: service.settings.baseUrl, ...unchanged, ...typed },
      setsLimits: Boolean(typed.perRecipientPerHour),
    },
  });

  const formUrl = `${url}/form/text-someone`;

  /** What the browser sends when someone submits the form, once someone has. */
  let submitted: { headers: Record<string, string>; fields: string[] } | undefined;

  async function submit({ to, body }: Sms, clicks: number) {
    await page.goto(formUrl);
    const [recipient, message] = [page.locator('input[type=text]'), page.locator('textarea')];
    await recipient.fill(to);
    await message.fill(body);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.locator('#submit-btn').click({ clickCount: clicks });
    const request = await sent;
    const { 'x-auth-token': token = '' } = request.headers();
    submitted = {
      headers: { ...pages, ...(token && { 'x-auth-token': token }) },
      fields: [...(request.postData() ?? '').matchAll(/ name="([^"]+)"/g)].map(
        ([, name = '']) => name,
      ),
    };
    await page.locator('.header h1').waitFor();
    const said = await page.locator('.card').innerText();
    await page.goto('about:blank');
    return said;
  }

  /** Submits the form without the browser, as its script does. */
  async function again({ to, body }: Sms) {
    const { headers, fields } = submitted ?? { headers: pages, fields: [] };
    const form = new FormData();
    for (const [index, value] of [to, body].entries()) form.append(fields[index] ?? '', value);
    const response = await fetchAnew(formUrl, { method: 'POST', headers, body: form });
    const { formWaitingUrl } = JSON.parse(await response.text());
    const state = new URL(formWaitingUrl);
    state.pathname += '/n8n-execution-status';
    const read = async (place: string) => (await fetchAnew(place, { headers: pages })).text();
    await until(async () => (await read(state.href)).trim() === 'form-waiting');
    return (await read(formWaitingUrl))
      .replace(/^.*<body/s, '')
      .replace(/<script.*?<\/script>|<[^>]*>/gs, ' ');
  }

  const ended = new Map<string, Promise<string>>();

  /** The executions that failed, as n8n shows them: what came in, and the error. */
  async function failures() {
    const { results } = await rest('GET', '/executions?limit=100');
    const failed = results.filter(({ status }: { status: string }) => status === 'error');
    const read = async (id: string) => {
      const { error, items } = await n8n.ended(id);
      return `${JSON.stringify(items('unattended'))} ${error}`;
    };
    for (const { id } of failed) if (!ended.has(id)) ended.set(id, read(id));
    return Promise.all(failed.map(({ id }: { id: string }) => ended.get(id)));
  }

  return {
    page,
    // n8n's form ignores a second click, so only the form itself can tell whether it does.
    send: (sms, clicks = 1) => (clicks > 1 || !submitted ? submit(sms, clicks) : again(sms)),
    sendTo: (values) => request('sms', values),
    recordingsOf: (values) => request('recordings', values),
    boundToNothing: Object.fromEntries(
      Object.keys(missing).map((path) => [path, () => request(path, {})]),
    ),
    sendUnattended: async (sms) => {
      await request('unattended', sms);
    },
    log: async () => (await failures()).join('\n'),
    limitsReached: async () => {
      const filter = encodeURIComponent(JSON.stringify({ workflowId: warn.id }));
      const { results } = await rest('GET', `/executions?limit=100&filter=${filter}`);
      const ended = results.map(async ({ id }: { id: string }) =>
        (await n8n.ended(id)).items('Note'),
      );
      return text(await Promise.all(ended));
    },
    saveSettings: async (typed) =>
      text(await rest('PATCH', `/credentials/${credential.id}`, settings(typed))),
    testConnection: async (typed) =>
      text(await rest('POST', '/credentials/test', { credentials: settings(typed) })),
    audioUrl,
    async *openPages() {
      const lists = { 'account-calls': 'call', 'recordings-by-date': 'recording' };
      const nodes = Object.entries(lists).map(([operation, resource]) => [
        operation,
        { type: telephony, parameters: { resource, operation, simplify: false } },
      ]);
      const { id } = await create(
        { Start: { type: 'n8n-nodes-base.manualTrigger' }, ...Object.fromEntries(nodes) },
        Object.assign({}, ...Object.keys(lists).map((operation) => chain('Start', operation))),
      );
      await page.goto(`${url}/workflow/${id}`);
      for (const operation of Object.keys(lists)) {
        await page.locator(`[data-test-id=canvas-node][data-node-name=${operation}]`).dblclick();
        await page.locator('[data-test-id=node-execute-button]').click();
        const output = page.locator('[data-test-id=output-panel]');
        await output.getByText(/^\d+ items$/).waitFor();
        for (const view of ['Schema', 'Table', 'JSON']) {
          await output.getByText(view, { exact: true }).click();
          await output.getByText('hostile').filter({ visible: true }).first().waitFor();
          yield `${operation} ${view}`;
        }
        await page.keyboard.press('Escape');
      }
      await page.goto('about:blank');
    },
    everything: async () => {
      const files = readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
        .map(({ parentPath, name }) => join(parentPath, name));
      return {
        ...Object.fromEntries(files.map((file) => [file, readFileSync(file, 'latin1')])),
        'the workflows': text(await rest('GET', '/workflows')),
        'the credential': text(await rest('GET', `/credentials/${credential.id}?includeData=true`)),
        'the failures': (await failures()).join('\n'),
        'the output': written(),
        'the pages': shown.join('\n'),
      };
    },
    stranger: {
      send: (sms) => post('/webhook/unattended', sms),
      recordings: () => post('/webhook/recordings', { phone: '+12025550143' }),
      listen: async (sid) => (await fetchAnew(audioUrl(sid))).text(),
      testConnection: () => post('/rest/credentials/test', { credentials: settings({}) }),
    },
  };
}

keepsPromises('n8n', openInN8n);
