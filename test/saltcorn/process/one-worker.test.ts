import cluster from 'node:cluster';
import { copyFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { gateIn } from '../../support/gate.ts';
import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createAdministrator, createNative } from '../app.ts';
import { artefact, type Host, type Loose, saltcorn, startSaltcorn } from '../host.ts';

// Two workers share only the database.

let host: Host;
let proxy: ReverseProxy;
let workers: Loose[];
const database = () => saltcorn('data/db');

beforeAll(async () => {
  host = await startSaltcorn();
  proxy = await proxyTo(host.sandbox.url);
  const settings = { ...host.settings, baseUrl: proxy.url };
  Object.assign(cluster, { isWorker: true });
  workers = ['one', 'other'].map((name) => {
    const file = join(temporaryFolder(name), 'index.js');
    copyFileSync(join(artefact, 'index.js'), file);
    const { actions, routes } = require(file);
    return { actions: actions(settings), routes: routes(settings) };
  });
});
afterAll(() => {
  Object.assign(cluster, { isWorker: false });
});
beforeEach(async () => {
  host.sandbox.messages.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };

/** A user's request, as Saltcorn passes it on. */
function requestOf(id: number, rest: object = {}) {
  const user = { id, role_id: 1 };
  return Object.assign(new IncomingMessage(new Socket()), {
    user,
    originalUrl: '/page/p',
    ...rest,
  });
}

function click({ actions }: Loose, id = 1, configuration: object = sms): Promise<Loose> {
  const req = requestOf(id);
  return actions['Send SMS'].run({ configuration, user: req.user, req });
}

const both = (times: number, id?: number) =>
  Promise.all(
    Array.from({ length: times }, () => workers.map((worker) => click(worker, id))).flat(),
  );

const answer = { notify_success: 'Message to +12025550143 queued: “Hello”' };

/** The shown toast. The response to a repeated click has none. */
const shownBy = (answers: object[]) => answers.filter((one) => 'notify_success' in one);

test('simultaneous clicks through both workers send once, and each gets the result', async () => {
  expect(shownBy(await both(3))).toEqual([answer]);
  expect(host.sandbox.messages).toHaveLength(1);
});

test('a click through the other worker right after the first sends nothing', async () => {
  await click(workers[0], 2);
  expect(await click(workers[1], 2)).toEqual({});
  expect(host.sandbox.messages).toHaveLength(1);
});

test('clicks of different users each send', async () => {
  await Promise.all([both(2, 3), both(2, 4)]);
  expect(host.sandbox.messages).toHaveLength(2);
});

test('an action whose outcome is unknown runs once, and each click reports it', async () => {
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  const [one, ...others] = await both(2, 5);
  expect(one.notify).toContain('is unknown; it was not sent again.');
  expect(others).toEqual([one, one, one]);
  expect(host.sandbox.messages).toHaveLength(1);
});

const busy = () =>
  Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: 'SQLITE_BUSY' });

test('waits for a database that is briefly busy', async () => {
  jest.spyOn(database(), 'query').mockRejectedValueOnce(busy()).mockRejectedValueOnce(busy());
  expect(shownBy(await both(1, 6))).toEqual([answer]);
  expect(host.sandbox.messages).toHaveLength(1);
});

test('reports success even if the result cannot be stored', async () => {
  const { query } = database();
  jest.spyOn(database(), 'query').mockImplementation((...statement: unknown[]) => {
    const isSent = host.sandbox.messages.length > 0;
    if (isSent && String(statement[0]).startsWith('update')) throw new Error('The disk is full.');
    return query(...statement);
  });
  expect(await click(workers[0], 7)).toEqual(answer);
  expect(host.sandbox.messages).toHaveLength(1);
});

test('a click whose worker has ended has an unknown outcome and is not repeated', async () => {
  const gate = gateIn(proxy);
  const answers = workers.map((worker) => click(worker, 8));
  await gate.holds(1);
  await database().query('update telephony_store set at = 1');
  // The first click still waits for the service.
  const first = await Promise.race(answers);
  expect(first.notify_type).toBe('danger');
  expect(first.notify).toContain('its outcome is unknown');
  await gate.open();
  expect(await Promise.all(answers)).toContainEqual(answer);
  expect(host.sandbox.messages).toHaveLength(1);
});

const people = Array.from({ length: 8 }, (_, index) => ({
  name: `P${index}`,
  phone: `+1202555013${index}`,
}));
const forEach = {
  ...{ rows_table: 'People', rows_of_page: false },
  ...{ ...sms, to: '{{ phone }}', body: 'Dear {{ name }}' },
};

let boss: number;
beforeAll(async () => {
  boss = (await createAdministrator()).id;
  await createNative('People', { name: 'String', phone: 'String' }, people);
});

/** Requests a part of a batch's page from a worker. */
async function ask({ routes }: Loose, run: string, part: string, body: object = {}) {
  const { callback } = routes.find(({ url }: Loose) => url.endsWith(`/:token/${part}`));
  let result: Loose;
  const say = (answer: Loose) => {
    result = answer;
  };
  const params = { token: run.split('/').at(-1) };
  await callback(requestOf(boss, { params, body }), { json: say, send: say });
  return result;
}

/** Presses the button that texts all, in a new tab. */
async function previewIn(worker: Loose, tab: number): Promise<string> {
  const req = requestOf(boss);
  const pressed = { configuration: forEach, user: req.user, req };
  const { eval_js } = await worker.actions['Send SMS for each row'].run(pressed);
  const [, run = ''] = /'([^']+)\/rows'/.exec(eval_js) ?? [];
  expect(await ask(worker, run, 'rows', { tab })).toEqual({ popup: run });
  return run;
}

async function ended(worker: Loose, run: string): Promise<string> {
  for (;;) {
    const part = await ask(worker, run, 'part');
    if (!part.includes('<progress')) return part;
  }
}

test('two tabs that start the same batch at once, through both workers, send to no one twice', async () => {
  const tabs = [await previewIn(workers[0], 1), await previewIn(workers[1], 2)];
  expect(new Set(tabs).size).toBe(2);
  const starts = workers.flatMap((worker) => tabs.map((run) => ask(worker, run, 'start')));
  await Promise.all(starts);
  const parts = await Promise.all(tabs.map((run) => ended(workers[0], run)));
  expect(parts.filter((part) => part.includes('8 sent.</p>'))).toHaveLength(1);
  expect(parts.filter((part) => part.includes('The last batch started'))).toHaveLength(1);
  expect(host.sandbox.messages.map(({ to }) => to).sort()).toEqual(
    people.map(({ phone }) => phone),
  );
});
