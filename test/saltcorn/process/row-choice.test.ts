import { shownNowhere } from '../../support/shown-nowhere.ts';
import {
  button,
  createButtons,
  createList,
  createNative,
  createPage,
  createTable,
  createTrigger,
  findTable,
} from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { press } from './press.ts';

// A button whose row decides whether it sends, and records its outcome.

let host: Host;
let website: Website;
let boss: Visitor;
let people: Loose;

const columns = { rows_outcome: 'sms', rows_sid: 'sms_sid', rows_time: 'sms_at' };
const sms = { from: '+14155550100', to: '{{ phone }}', body: 'Dear {{ name }}' };
const recording = { ...sms, ...columns };
const onlyOpen = { ...sms, rows_if: 'status === "open"' };

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  const texts = ['name', 'phone', 'status', 'sms', 'sms_sid'];
  const types = Object.fromEntries(texts.map((name) => [name, 'String']));
  people = await createNative('People', { ...types, sms_at: 'Date' }, []);
  await createTable('Calls', 'Telephony: Account Calls');
  const buttons = [
    button('recording', 'Send SMS', recording),
    button('only open', 'Send SMS', onlyOpen),
    button('invalid', 'Send SMS', { ...sms, rows_if: 'statuss === "open"' }),
    button('incomplete', 'Send SMS', { ...sms, rows_outcome: 'sms' }),
  ];
  await createList('list', people, ['name'], { buttons });
  await createButtons('edit', 'Edit', people, buttons);
  await createPage(
    'page',
    button('no row', 'Send SMS', { ...recording, to: '+12025550101', body: 'Hi' }),
    button('each', 'Send SMS for each row', {
      rows_table: 'People',
      rows_of_page: false,
      ...recording,
    }),
  );
});
// Each click comes long after the one before it.
let passed = 0;
beforeAll(() => {
  const [now, today] = [performance.now.bind(performance), Date.now.bind(Date)];
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  jest.spyOn(Date, 'now').mockImplementation(() => today() + passed);
});
afterAll(() => jest.restoreAllMocks());
beforeEach(async () => {
  boss = await website.user();
  await installPlugin(artefact, host.settings);
  await people.deleteRows({});
  host.sandbox.messages.length = 0;
  host.sandbox.faults.clear();
});
// What other tests sent to the same numbers doesn't count.
afterEach(() => saltcorn('data/db').query('delete from telephony_store'));

const ada = { name: 'Ada', phone: '+12025550101', status: 'open' };
const insert = (row: object = ada): Promise<number> => people.insertRow(row);
function click(id: number, rndid = 'recording', who = boss): Promise<Loose> {
  passed += 10_000;
  return who.post('/view/list/run_action', { rndid, id });
}
const sent = () => host.sandbox.messages.map(({ to }) => to).sort();
const rowOf = async (id: number) => (await people.getRows({ id }))[0];

async function textEach(): Promise<Loose> {
  await boss.get('/page/page');
  const { popup, notify } = await press(boss, '/page/page/action/each');
  if (!popup) return notify;
  await boss.post(`${popup}/start`, {});
  for (;;) {
    const part: string = await boss.get(`${popup}/part`);
    if (!part.includes('<progress')) return part;
  }
}

test('a row that a button texted is skipped by the button, and by a batch with the same column', async () => {
  const id = await insert();
  expect(await click(id)).toMatchObject({ notify_success: expect.stringContaining('Dear Ada') });
  const [{ sid } = {}] = host.sandbox.messages;
  expect(await rowOf(id)).toMatchObject({ sms: 'sent', sms_sid: sid, sms_at: expect.any(Date) });
  expect(await click(id)).toMatchObject({
    notify_type: 'warning',
    notify: "Send SMS: The row's “sms” says that this is done. Nothing was sent.",
  });
  expect(await textEach()).toContain('Nothing is left to do.');
  expect(sent()).toEqual([ada.phone]);
});

test('a row that a batch texted is skipped by the button', async () => {
  const id = await insert();
  expect(await textEach()).toContain('1 sent');
  expect(await click(id)).toMatchObject({ notify_type: 'warning' });
  expect(sent()).toEqual([ada.phone]);
});

test('two users who press the button at once send once', async () => {
  const id = await insert();
  const users = [boss, await website.user()];
  const answers = await Promise.all(users.map((user) => click(id, 'recording', user)));
  expect(answers.filter((answer) => 'notify_success' in answer)).toHaveLength(1);
  expect(sent()).toEqual([ada.phone]);
});

test('an unknown outcome is recorded, and the next click checks the log and sends nothing', async () => {
  const id = await insert();
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  for (const _ of 'ab') {
    expect(await click(id)).toMatchObject({
      notify_type: 'danger',
      notify: expect.stringContaining('Account Messages'),
    });
    expect(await rowOf(id)).toMatchObject({ sms: 'unknown' });
    expect(sent()).toEqual([ada.phone]);
  }
});

test('a refused recipient is recorded, and can be texted again', async () => {
  const id = await insert({ ...ada, phone: '+15005550001' });
  expect(await click(id)).toMatchObject({ notify_type: 'danger' });
  expect(await rowOf(id)).toMatchObject({ sms: 'failed', sms_sid: null });
  await people.updateRow({ phone: ada.phone }, id);
  expect(await click(id)).toHaveProperty('notify_success');
});

test.each<[status: string, isSent: boolean]>([
  ['open', true],
  ['closed', false],
])('“Only if” of a row that is %s: it sends %s', async (status, isSent) => {
  const answer = await click(await insert({ ...ada, status }), 'only open');
  expect(sent()).toHaveLength(isSent ? 1 : 0);
  if (!isSent)
    expect(answer).toMatchObject({
      notify_type: 'warning',
      notify: "Send SMS: “Only if” isn't true for this row. Nothing was sent.",
    });
});

test.each<[rndid: string, problem: string]>([
  ['invalid', '“Only if” is invalid, so nothing was done: “People” has no column “statuss”.'],
  ['incomplete', '“SID column” is empty. Choose all three columns, or none.'],
])('%s settings of a button send nothing and say why', async (rndid, problem) => {
  const answer = await click(await insert(), rndid);
  expect(answer.notify_type).toBe('danger');
  expect(answer.notify.replaceAll('&quot;', '"')).toContain(problem);
  expect(sent()).toEqual([]);
});

test.each<[what: string, path: string, body: object, problem: string]>([
  ['on a page', '/page/page/action/no row', {}, 'need a row'],
  [
    'for a row that is not saved',
    '/view/edit/run_action',
    { rndid: 'recording', ...ada },
    "isn't saved or is gone",
  ],
])('a button %s sends nothing and says why', async (_, path, body, problem) => {
  expect(await boss.post(path, body)).toMatchObject({
    notify_type: 'danger',
    notify: expect.stringContaining(problem),
  });
  expect(sent()).toEqual([]);
});

test('a visitor of an Edit view texts the stored number of the row that records it', async () => {
  const id = await insert();
  await boss.post('/view/edit/run_action', {
    ...{ rndid: 'recording', id, name: 'Eve', phone: '+12025550199' },
  });
  expect(sent()).toEqual([ada.phone]);
});

test('a trigger records the outcome of the inserted row', async () => {
  const trigger = await createTrigger({
    ...{ name: 'added', when_trigger: 'Insert', action: 'Send SMS' },
    ...{ table_id: people.id, configuration: recording },
  });
  const id = await insert();
  await trigger.delete();
  expect(await rowOf(id)).toMatchObject({ sms: 'sent' });
  expect(sent()).toEqual([ada.phone]);
});

test('the builder offers the columns of the table of the row, and none without one', () => {
  const { configFields } = state().actions['Send SMS'];
  const offered = (of: object): object =>
    Object.fromEntries(
      configFields(of)
        .filter(({ name }: Loose) => name.startsWith('rows_'))
        .map(({ name, options }: Loose) => [name, options]),
    );
  const texts = ['', 'name', 'phone', 'sms', 'sms_sid', 'status'];
  const own = { rows_outcome: texts, rows_sid: texts, rows_time: ['', 'sms_at'] };
  expect(offered({ table: people, mode: 'show' })).toEqual({ rows_if: undefined, ...own });
  // A trigger has a condition of Saltcorn's own.
  expect(offered({ table: people, mode: 'trigger' })).toEqual(own);
  expect(offered({ table: findTable('Calls'), mode: 'list' })).toEqual({ rows_if: undefined });
  expect(offered({ table: people, mode: 'workflow' })).toEqual({});
  expect(offered({})).toEqual({});
});
