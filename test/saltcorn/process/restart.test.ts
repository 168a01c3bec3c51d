import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gate, gateTo } from '../../support/gate.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { button } from '../app.ts';
import { artefact } from '../host.ts';
import { admin, type SaltcornServer, startSaltcornServer } from '../saltcorn-server.ts';
import { Visitor } from '../website.ts';

let sandbox: Sandbox;
let gate: Gate;
let server: SaltcornServer;
let typesBefore: string[];

const logIn = () => new Visitor(server.url).logIn(admin.email, admin.password);
const press = (visitor: Visitor) => visitor.post('/page/page/action/sms', {});

/** The types that a new field can have, in their order. */
async function types(visitor: Visitor) {
  const [, select = ''] =
    /<select[^>]*name="type"[^>]*>(.*?)<\/select>/s.exec(await visitor.get('/field/new/1')) ?? [];
  return [...select.matchAll(/<option value="([^"]*)"/g)].map(([, type = '']) => type);
}

/** The file of a page with a button. */
function packFile() {
  const sms = button('sms', 'Send SMS', { from: '+14155550100', to: '+12025550143', body: 'Hi' });
  const page = {
    ...{ name: 'page', title: 'page', description: '', min_role: 1, fixed_states: {} },
    ...{ root_page_for_roles: [], layout: { above: [sms] } },
  };
  const file = join(temporaryFolder('restart'), 'pack.json');
  const pack = { tables: [], plugins: [], views: [], triggers: [], pages: [page] };
  writeFileSync(file, JSON.stringify(pack));
  return file;
}

// The demo's Saltcorn crashes while a click waits for the service.
beforeAll(async () => {
  sandbox = await openSandbox();
  gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
  sandbox.messages.length = 0;
  const { username, password } = sandbox;
  server = await startSaltcornServer({
    ...{ plugin: artefact, pack: packFile() },
    configuration: { username, password, baseUrl: gate.url },
  });
  const boss = await logIn();
  typesBefore = await types(boss);
  press(boss).catch(() => {});
  await gate.holds(1);
  await server.restart('SIGKILL');
}, 300_000);

test('a new field starts as a text, also after a restart of the demo', async () => {
  expect(typesBefore[0]).toBe('String');
  expect((await types(await logIn())).slice(0, 3)).toEqual(typesBefore.slice(0, 3));
});

test('a click after a crash reports the unknown outcome of the one before it, and sends nothing', async () => {
  expect(await press(await logIn())).toMatchObject({
    notify_type: 'danger',
    notify: expect.stringContaining('its outcome is unknown'),
  });
  await gate.open();
  expect(sandbox.messages.length).toBeLessThan(2);
});
