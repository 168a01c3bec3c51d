import { shownNowhere } from '../../support/shown-nowhere.ts';
import {
  button,
  createButtons,
  createList,
  createNative,
  createPage,
  createTrigger,
} from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
} from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';

let host: Host;
let website: Website;
let boss: Visitor;
let people: Loose;

const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
const toRow = { ...sms, to: '{{ phone }}', body: 'Dear {{ name }}' };
const ada = { name: 'Ada', phone: '+12025550101' };
const inProgress = () => host.sandbox.calls.find(({ status }) => status === 'in-progress')?.sid;

beforeAll(async () => {
  host = await startSaltcorn();
  await installPlugin(artefact, { ...host.settings, minimumRole: '100' });
  website = await startWebsite();
  people = await createNative('People', { name: 'String', phone: 'String' }, [ada]);
  await createTrigger({
    name: 'remind',
    when_trigger: 'Never',
    action: 'Send SMS',
    configuration: sms,
  });
  await createTrigger({
    name: 'call',
    when_trigger: 'API call',
    action: 'Send SMS',
    configuration: sms,
    min_role: 100,
  });
  await createPage(
    'page',
    button('sms', 'Send SMS', sms),
    button('typed otherwise', 'Send SMS', { ...sms, to: ' +1 (202) 555-0143' }),
    button('another text', 'Send SMS', { ...sms, body: 'Bye' }),
    button('by a trigger', 'remind', {}),
    button('record', 'Create a Call Recording', { callSid: inProgress() }),
  );
  const toThem = button('sms', 'Send SMS', toRow);
  await createList('list', people, ['name'], { buttons: [toThem] });
  await createButtons('show', 'Show', people, [toThem]);
  await createButtons('edit', 'Edit', people, [toThem]);
  await createButtons('filter', 'Filter', people, [{ ...toThem, action_row_variable: 'state' }]);
  boss = await website.user();
});

let elapsed = 0;
beforeEach(() => {
  // It stands still, so that a slow disk makes no pause longer.
  const [start, today] = [performance.now(), Date.now()];
  jest.spyOn(performance, 'now').mockImplementation(() => start + elapsed);
  jest.spyOn(Date, 'now').mockImplementation(() => today + elapsed);
  // Each test starts long after the previous one.
  elapsed += 60_000;
  host.sandbox.messages.length = 0;
  host.sandbox.recordings.length = 0;
  host.sandbox.faults.clear();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const sent = () => host.sandbox.messages.map(({ to, body }) => [to, body]);
const press = (visitor: Visitor, name: string) => visitor.post(`/page/page/action/${name}`, {});
const fast = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, act));

const buttons: [where: string, path: string, body: object][] = [
  ['a page', '/page/page/action/sms', {}],
  ['a page that runs a trigger', '/page/page/action/by a trigger', {}],
  ['a row of a list', '/view/list/run_action', { rndid: 'sms', id: 1 }],
  ['a Show view', '/view/show/run_action', { rndid: 'sms', id: 1 }],
  ['an Edit view with typed values', '/view/edit/run_action', { rndid: 'sms', ...ada }],
  ['a Filter view', '/view/filter/run_action?phone=%2B12025550101&name=Ada', { rndid: 'sms' }],
];
test.each(buttons)('five fast clicks on %s send once', async (_, path, body) => {
  const answers = await fast(() => boss.post(path, body));
  expect(sent()).toHaveLength(1);
  const [[to, text] = []] = sent();
  const shown = answers.filter((answer) => 'notify_success' in answer);
  expect(shown).toEqual([{ success: 'ok', notify_success: `Message to ${to} queued: “${text}”` }]);
  const others = answers.filter((answer) => !shown.includes(answer));
  expect(others).toEqual(Array(4).fill({ success: 'ok' }));
});

test('two clicks for the same number, written differently, send once', async () => {
  const answers = await Promise.all([press(boss, 'sms'), press(boss, 'typed otherwise')]);
  expect(answers.filter((answer) => 'notify_success' in answer)).toHaveLength(1);
  expect(sent()).toHaveLength(1);
});

test('clicks with different texts or actions each run', async () => {
  await Promise.all([press(boss, 'sms'), press(boss, 'another text'), press(boss, 'record')]);
  expect(
    sent()
      .map(([, body]) => body)
      .sort(),
  ).toEqual(['Bye', 'Hello']);
  expect(host.sandbox.recordings).toHaveLength(1);
});

test('clicks of different visitors each send, also without a login', async () => {
  const visitors = [boss, await website.user(40), await website.guest(), await website.guest()];
  await Promise.all(visitors.map((visitor) => fast(() => press(visitor, 'sms'))));
  expect(sent()).toHaveLength(visitors.length);
});

test('a double click does not repeat an unknown outcome, and each click reports it', async () => {
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  const [one, ...others] = await fast(() => press(boss, 'sms'));
  expect(one.notify).toContain('is unknown; it was not sent again.');
  expect(others).toEqual([one, one, one, one]);
  expect(sent()).toHaveLength(1);
});

const noClicks: [what: string, act: () => Promise<unknown>][] = [
  ['a trigger', () => model('trigger').findOne({ name: 'remind' }).runWithoutRow({})],
  ['inserting a row', () => people.insertRow(ada)],
  ['an API call', () => boss.post('/api/action/call', {}, { 'page-load-tag': '' })],
  [
    'a workflow step',
    () =>
      saltcorn('data/db/state')
        .getState()
        .actions['Send SMS'].run({ configuration: sms, mode: 'workflow', row: {} }),
  ],
];
test.each(noClicks)('%s is not deduplicated as a click', async (_, act) => {
  const trigger = await createTrigger({
    name: 'added',
    when_trigger: 'Insert',
    action: 'Send SMS',
    ...{ table_id: people.id, configuration: toRow },
  });
  await Promise.all([act(), act()]);
  await trigger.delete();
  expect(sent()).toHaveLength(2);
});
