import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { admin, type SaltcornServer, startSaltcornServer } from '../browser/saltcorn-server.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { root } from '../root.ts';
import { sidsOf } from '../sids-of.ts';
import { startPostgres } from '../start-postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { packFor } from './pack.ts';
import { customers, runInTwoTabs } from './run-for-each.ts';
import { type Answer, Visitor } from './visitor.ts';

const settingsPage = '/plugins/configure/telephony';
const administrator = '1';
const everyone = '100';

const sids = ({ text }: Answer) => [...new Set(text.match(/\b(CA|RE)[0-9a-f]{32}\b/g))];

/** Waits until a test of an answer holds, for what one worker tells another. */
async function until(ask: () => Promise<Answer>, holds: (answer: Answer) => boolean) {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > end) throw new Error(`It did not come to hold:\n${answer.text}`);
  }
}

// One story: each test goes on where the one before ended.
describe('two workers on PostgreSQL', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let one: number;
  let other: number;
  let boss: Visitor;
  let guest: Visitor;

  beforeAll(async () => {
    sandbox = await openSandbox();
    const call = sandbox.calls.find(({ status }) => status === 'in-progress');
    const folder = temporaryFolder('workers');
    const write = (name: string, content: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(content));
      return join(folder, name);
    };
    const { username, password, url: baseUrl } = sandbox;
    saltcorn = await startSaltcornServer({
      plugin: join(root, 'dist/saltcorn'),
      pack: write('pack.json', packFor(call?.sid ?? '')),
      customers: write('customers.json', customers),
      // Longer than the tests, so that nothing is forgotten by itself.
      configuration: { username, password, baseUrl, freshSeconds: 300 },
      database: await startPostgres(),
      workers: 2,
      preload: resolve(__dirname, 'name-worker.mjs'),
    });
    boss = new Visitor(saltcorn.url);
    guest = new Visitor(saltcorn.url);
    [one, other] = (await boss.workers(2)) as [number, number];
  });

  const workers = () => [one, other];

  /** Saves the module's settings through a worker. */
  async function save(worker: number, values: Record<string, string>) {
    const { text } = await boss.get(worker, settingsPage);
    const hidden = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text);
    const typed = (name: string) => hidden(name)?.[1] ?? '';
    const kept = ['username', 'baseUrl', 'freshSeconds', 'stepName', 'contextEnc'];
    const form = Object.fromEntries(kept.map((name) => [name, typed(name)]));
    expect(form).toMatchObject({ freshSeconds: '300' });
    const answer = await boss.post(worker, settingsPage, {
      ...{ ...form, password: '', accountSid: '', minimumRole: administrator },
      ...values,
    });
    expect(answer.status).toBe(302);
  }

  const press = async (visitor: Visitor, worker: number, button: string) =>
    JSON.parse((await visitor.post(worker, `/page/buttons/action/${button}`, {})).text);

  test('both serve pages, and know who is logged in', async () => {
    await boss.post(one, '/auth/login', admin);
    for (const worker of workers()) {
      const answer = await boss.get(worker, settingsPage);
      expect([answer.worker, answer.status]).toEqual([worker, 200]);
    }
    expect(one).not.toBe(other);
    expect((await boss.get(one, '/admin/system')).text).toContain('PostgreSQL');
  });

  test('both list the calls', async () => {
    const newest = sidsOf(sandbox.calls.slice(0, 20));
    for (const worker of workers())
      expect(sids(await boss.get(worker, '/view/calls'))).toEqual(newest);
  });

  test('both filter at the service', async () => {
    const [{ from } = { from: '' }] = sandbox.calls;
    const filters: [query: string, calls: { sid: string }[]][] = [
      ['status=busy', sandbox.calls.filter(({ status }) => status === 'busy')],
      [`from=${encodeURIComponent(from)}`, sandbox.calls.filter((call) => call.from === from)],
    ];
    for (const worker of workers())
      for (const [query, calls] of filters)
        expect(sids(await boss.get(worker, `/view/calls?${query}`))).toEqual(
          sidsOf(calls.slice(0, 20)),
        );
  });

  test('both send a message, and clicks at the same time are one, through whichever they come', async () => {
    const greetings: [worker: number, button: string][] = [
      [one, 'morning'],
      [other, 'evening'],
    ];
    for (const [worker, button] of greetings) {
      const before = sandbox.messages.length;
      const answer = await press(boss, worker, button);
      expect(sandbox.messages).toHaveLength(before + 1);
      expect(answer.notify_success).toContain(sandbox.messages[0]?.body);
    }
    const before = sandbox.messages.length;
    const many = Array.from({ length: 5 }).flatMap(workers);
    const answers = await Promise.all(many.map((worker) => press(boss, worker, 'sms')));
    expect(new Set(answers.map(({ notify_success }) => notify_success)).size).toBe(1);
    expect(sandbox.messages).toHaveLength(before + 1);
  });

  test('both play a recording', async () => {
    const [sid] = sids(await boss.get(one, '/view/voices'));
    for (const worker of workers()) {
      const answer = await boss.get(worker, `/telephony/media/voices/${sid}`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'audio/x-wav']);
    }
  });

  test('what is done through one is seen through the other, whatever that had read before', async () => {
    for (const worker of workers()) expect(sids(await boss.get(worker, '/view/takes'))).toEqual([]);
    const asked = sandbox.requests.length;
    for (const worker of workers()) await boss.get(worker, '/view/takes');
    expect(sandbox.requests).toHaveLength(asked);

    await press(boss, one, 'record');
    const [recording] = sandbox.recordings;
    for (const worker of workers())
      await until(
        () => boss.get(worker, '/view/takes'),
        (answer) => sids(answer).includes(recording?.sid ?? '-'),
      );
  });

  test('what is begun for each row in two tabs at once is done once, and both know of it', async () => {
    sandbox.messages.length = 0;
    const tabs = await runInTwoTabs(boss, one, other);
    const isDone = (part: string) => part.includes('6 done.') && !part.includes('last begun');
    const isAsked = (part: string) => part.includes('last begun');
    expect(tabs.filter((parts) => parts.every(isDone))).toHaveLength(1);
    expect(tabs.filter((parts) => parts.every(isAsked))).toHaveLength(1);
    expect(sandbox.messages.map(({ to }) => to).sort()).toEqual(
      customers.map(({ phone }) => phone),
    );
  });

  test('who may run actions is the same in both', async () => {
    const before = sandbox.messages.length;
    for (const worker of workers())
      expect(await press(guest, worker, 'sms')).toHaveProperty('notify_type', 'danger');
    expect(sandbox.messages).toHaveLength(before);

    const pressed = (worker: number) => guest.post(worker, '/page/buttons/action/sms', {});
    await save(one, { minimumRole: everyone });
    for (const worker of workers())
      await until(
        () => pressed(worker),
        ({ text }) => text.includes('notify_success'),
      );
    await save(other, { minimumRole: administrator });
    for (const worker of workers())
      await until(
        () => pressed(worker),
        ({ text }) => text.includes('You may not run'),
      );
  });

  test('an account that is entered through one holds in both, and nothing of the old one is shown', async () => {
    const next = await openSandbox({
      username: `AC${'1'.repeat(32)}`,
      password: 'another-secret-1',
      seed: 2,
    });
    const { username, password, url: baseUrl } = next;
    await save(one, { username, password, baseUrl });
    const newest = sidsOf(next.calls.slice(0, 20));
    for (const worker of workers())
      await until(
        () => boss.get(worker, '/view/calls'),
        (answer) => sids(answer).join() === newest.join(),
      );
    await save(other, { password: 'wrong-secret-2' });
    for (const worker of workers())
      await until(
        () => boss.get(worker, '/view/calls'),
        ({ text }) => text.includes('The service refused the credentials'),
      );
  });

  test('no password is in a pack, nor in what was printed', async () => {
    const { text } = await boss.post(one, '/packs/create', { 'plugin.telephony': 'on' });
    expect(text).toContain(`AC${'1'.repeat(32)}`);
    for (const secret of [sandbox.password, 'another-secret-1', 'wrong-secret-2'])
      expect([text, saltcorn.written()].filter((one) => one.includes(secret))).toEqual([]);
  });
});
