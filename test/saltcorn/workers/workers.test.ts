import { definitions } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { admin, type SaltcornServer } from '../saltcorn-server.ts';
import { startTwoWorkers } from './two-workers.ts';
import { type Answer, Visitor } from './visitor.ts';

const settingsPage = '/plugins/configure/telephony';
const administrator = '1';
const everyone = 100;

const table = (name: string, source: string, configuration: object = {}) => ({
  ...{ name, min_role_read: everyone, min_role_write: 1, fields: [] },
  provider_name: `${definitions.manifest.name}: ${source}`,
  provider_cfg: configuration,
});

const column = { field_name: 'sid', fieldview: 'as_text' };

const list = (name: string) => ({
  ...{ name, table: name, viewtemplate: 'List', min_role: everyone },
  configuration: {
    columns: [{ ...column, type: 'Field' }],
    layout: {
      list_columns: true,
      besides: [{ header_label: 'Sid', contents: { ...column, type: 'field' } }],
    },
  },
});

const button = (rndid: string, action: string, configuration: object) => ({
  ...{ type: 'action', rndid, action_name: action, minRole: everyone },
  configuration,
});

const sms = { from: '+14155550100', to: '+12025550143' };

/**
 * A pack with public lists and a public page with buttons.
 *
 * @param callSid the call that the page records, and whose recordings it lists
 */
const packFor = (callSid: string) => ({
  tables: [
    table('calls', 'Calls by caller id'),
    table('takes', 'Get all Recordings for a given Call', { callSid }),
    table('voices', 'Recordings by caller id'),
    {
      ...{ name: 'Customers', min_role_read: 1, min_role_write: 1 },
      fields: ['name', 'phone'].map((name) => ({ name, label: name, type: 'String' })),
    },
  ],
  views: [list('calls'), list('takes'), list('voices')],
  pages: [
    {
      ...{ name: 'buttons', title: 'Buttons', description: '', min_role: everyone },
      layout: {
        above: [
          button('sms', 'Send SMS', { ...sms, body: 'Hi' }),
          button('morning', 'Send SMS', { ...sms, body: 'Good morning' }),
          button('evening', 'Send SMS', { ...sms, body: 'Good evening' }),
          button('all', 'Send SMS for each row', {
            ...{ ...sms, to: '{{ phone }}', body: 'Dear {{ name }}' },
            ...{ rows_table: 'Customers', rows_of_page: false },
          }),
          button('record', 'Create a Call Recording', { callSid }),
        ],
      },
      fixed_states: {},
      root_page_for_roles: [],
    },
  ],
  ...{ plugins: [], triggers: [], roles: [], library: [], tags: [], models: [] },
  ...{ model_instances: [], event_logs: [], page_groups: [], code_pages: [] },
});

/** The customers of a pack, and the button that texts each of them. */
const customers = Array.from({ length: 6 }, (_, index) => ({
  name: `Customer ${index}`,
  phone: `+1202555012${index}`,
}));

/** Presses the button in a tab through one worker, and reports the page's views to another. */
async function previewIn(boss: Visitor, tab: string, one: number, other: number): Promise<string> {
  const { text } = await boss.post(one, '/page/buttons/action/all', {});
  const [, run = ''] = /'(\/telephony\/run\/[\w-]+)\/rows'/.exec(text) ?? [];
  const asked = await boss.post(other, `${run}/rows`, { tab });
  expect(JSON.parse(asked.text)).toEqual({ popup: run });
  return run;
}

/**
 * Opens the same preview in two tabs, and starts the batch in both, through both workers at once.
 *
 * @returns what both workers show for each tab at the end
 */
async function runInTwoTabs(boss: Visitor, one: number, other: number): Promise<string[][]> {
  const first = await previewIn(boss, 'first', one, other);
  const second = await previewIn(boss, 'second', other, one);
  await Promise.all(
    [one, other].flatMap((worker) =>
      [first, second].map((run) => boss.post(worker, `${run}/start`, {})),
    ),
  );
  const ended = async (worker: number, run: string) => {
    for (;;) {
      const part = await boss.get(worker, `${run}/part`);
      if (!part.text.includes('<progress')) return part.text;
    }
  };
  const inBoth = (run: string) => Promise.all([one, other].map((worker) => ended(worker, run)));
  return Promise.all([first, second].map(inBoth));
}

const sids = ({ text }: Answer) => [...new Set(text.match(/\b(CA|RE)[0-9a-f]{32}\b/g))];

/** Waits until a response fits, because a message between workers takes a moment. */
async function until(read: () => Promise<Answer>, holds: (answer: Answer) => boolean) {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await read();
    if (holds(answer)) return answer;
    if (Date.now() > end) throw new Error(`It did not come to hold:\n${answer.text}`);
  }
}

// One story: each test continues where the previous one ended.
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
    const started = await startTwoWorkers(sandbox, {
      pack: packFor(call?.sid ?? ''),
      customers,
      // Longer than the tests, so that nothing expires.
      settings: { freshSeconds: 300 },
    });
    ({ saltcorn, boss } = started);
    guest = new Visitor(saltcorn.url);
    [one, other] = started.workers;
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

  test('both serve pages and share the login', async () => {
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

  test('both send a message, and simultaneous clicks through either send once', async () => {
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
    const answers = await boss.postTogether(many, '/page/buttons/action/sms', {});
    const notified = answers.filter(({ text }) => JSON.parse(text).notify_success);
    expect(notified).toHaveLength(1);
    expect(sandbox.messages).toHaveLength(before + 1);
  });

  test('both play a recording', async () => {
    const [sid] = sids(await boss.get(one, '/view/voices'));
    for (const worker of workers()) {
      const answer = await boss.get(worker, `/telephony/media/voices/${sid}`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'audio/x-wav']);
    }
  });

  test('an action through one clears the cache of the other', async () => {
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

  test('a test of a batch that both get at once is sent once', async () => {
    const run = await previewIn(boss, 'test', one, other);
    const before = sandbox.messages.length;
    const recipient = '+12025550199';
    const answers = await boss.postTogether([one, other, one, other], `${run}/test`, { recipient });
    for (const { text } of answers) expect(text).toContain('Message to +12025550199 queued');
    expect(sandbox.messages).toHaveLength(before + 1);
  });

  test('a batch that two tabs start at once runs once, and both workers show it', async () => {
    sandbox.messages.length = 0;
    const tabs = await runInTwoTabs(boss, one, other);
    const isDone = (part: string) =>
      part.includes('6 sent.') && !part.includes('last batch started');
    const isPreview = (part: string) => part.includes('last batch started');
    expect(tabs.filter((parts) => parts.every(isDone))).toHaveLength(1);
    expect(tabs.filter((parts) => parts.every(isPreview))).toHaveLength(1);
    expect(sandbox.messages.map(({ to }) => to).sort()).toEqual(
      customers.map(({ phone }) => phone),
    );
  });

  test('both apply the same minimum role', async () => {
    const before = sandbox.messages.length;
    for (const worker of workers())
      expect(await press(guest, worker, 'sms')).toHaveProperty('notify_type', 'danger');
    expect(sandbox.messages).toHaveLength(before);

    const pressed = (worker: number) => guest.post(worker, '/page/buttons/action/sms', {});
    await save(one, { minimumRole: String(everyone) });
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

  test('an account entered through one applies to both, which show nothing of the old one', async () => {
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
        ({ text }) => text.includes('The service rejected the credentials'),
      );
  });

  test('a pack and the server output contain no password', async () => {
    const { text } = await boss.post(one, '/packs/create', { 'plugin.telephony': 'on' });
    expect(text).toContain(`AC${'1'.repeat(32)}`);
    for (const secret of [sandbox.password, 'another-secret-1', 'wrong-secret-2'])
      expect([text, saltcorn.written()].filter((one) => one.includes(secret))).toEqual([]);
  });
});
