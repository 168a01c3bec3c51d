import { shownNowhere } from '../../support/shown-nowhere.ts';
import { until } from '../../support/until.ts';
import {
  button,
  createButtons,
  createList,
  createNative,
  createPage,
  createTrigger,
} from '../app.ts';
import { type Host, type Loose, model, saltcorn, startSaltcorn, state } from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

let host: Host;
let crashLog: CrashLog;
let website: Website;
let boss: Visitor;
let people: Loose;

const sms = { from: '+14155550100', to: '{{ phone }}', body: 'Dear {{ name }}, a secret word' };
const bob = { name: 'Bob', phone: '+15005550001' };

beforeAll(async () => {
  host = await startSaltcorn();
  crashLog = openCrashLog();
  website = await startWebsite();
  people = await createNative('People', { name: 'String', phone: 'String' }, [bob]);
  const toThem = button('sms', 'Send SMS', sms);
  await createPage('page', button('sms', 'Send SMS', { ...sms, to: bob.phone, body: 'Hi' }));
  await createList('list', people, ['name'], { buttons: [toThem] });
  await createButtons('show', 'Show', people, [toThem]);
  await createButtons('edit', 'Edit', people, [toThem]);
  await createButtons('filter', 'Filter', people, [{ ...toThem, action_row_variable: 'state' }]);
  boss = await website.user();
});

beforeEach(async () => {
  host.sandbox.messages.length = 0;
  host.sandbox.faults.clear();
  await crashLog.clear();
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const trigger of model('trigger').find({})) await trigger.delete();
  await state().refresh_triggers(true);
});

const refused = `The number in "To" is not a valid phone number. Enter it with its country code, such as +14155550100. The service said: Invalid 'To' Phone Number: +15005550001 (21211)`;
const unknown = 'is unknown; it was not sent again.';

describe('a failure of an action with a waiting user', () => {
  const buttons: [where: string, path: string, body: object][] = [
    ['a page', '/page/page/action/sms', {}],
    ['a row of a list', '/view/list/run_action', { rndid: 'sms', id: 1 }],
    ['a Show view', '/view/show/run_action', { rndid: 'sms', id: 1 }],
    ['an Edit view', '/view/edit/run_action', { rndid: 'sms', ...bob }],
    ['a Filter view', '/view/filter/run_action?phone=%2B15005550001&name=Bob', { rndid: 'sms' }],
  ];
  test.each(buttons)('is shown to the user of %s and not logged', async (_, path, body) => {
    const answer = await boss.post(path, body);
    expect(answer).toMatchObject({ notify_type: 'danger', halt_steps: true });
    expect(answer.notify).toContain(refused);
    expect(answer).not.toHaveProperty('error');
    expect(await crashLog.entries()).toEqual([]);
  });

  const languages: [language: string, text: string][] = [
    ['de', 'Die Nummer in „An“ ist keine gültige Telefonnummer. Geben Sie sie mit Ländervorwahl'],
    ['zh', '“接收方”中的号码不是有效的电话号码。请输入含国家/地区代码的号码'],
  ];
  test.each(languages)('is said in the language of a user: %s', async (language, text) => {
    const user = await website.user();
    const headers = { 'accept-language': language };
    const answer = await user.post('/page/page/action/sms', {}, headers);
    expect(answer.notify).toContain(text);
  });

  test('is returned to an API client and not logged', async () => {
    await createTrigger({
      name: 'call',
      when_trigger: 'API call',
      action: 'Send SMS',
      configuration: sms,
      min_role: 100,
    });
    const program = { 'page-load-tag': '' };
    const answer = await boss.post('/api/action/call', bob, program);
    expect(answer).toMatchObject({ success: false });
    expect(answer.error).toContain(refused);
    expect(await crashLog.entries()).toEqual([]);
  });

  test('skips the steps that follow', async () => {
    const steps = [
      { step_action_name: 'Send SMS', ...sms, to: bob.phone, body: 'Hi' },
      { step_action_name: 'Send SMS', ...sms, to: '+12025550143', body: 'Hi' },
    ];
    await createTrigger({
      name: 'two',
      when_trigger: 'Never',
      action: 'Multi-step action',
      configuration: { steps },
    });
    await createPage('steps', button('two', 'two', {}));
    const answer = await boss.post('/page/steps/action/two', {});
    expect(answer).toMatchObject({ notify_type: 'danger' });
    expect(host.sandbox.messages).toEqual([]);
  });
});

describe('an action that runs on page load', () => {
  const onLoad = { action_style: 'on_page_load' };
  const toBob = { ...sms, to: bob.phone, body: 'A secret word' };

  test('shows its result on the page', async () => {
    await createPage(
      'loading',
      button('load', 'Send SMS', { ...toBob, to: '+12025550143' }, onLoad),
    );
    expect(await boss.get('/page/loading')).toContain('Message to +12025550143 queued');
    expect(host.sandbox.messages).toHaveLength(1);
  });

  test('logs a failure in the crash log, because not every view shows it', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    await createButtons('loads', 'Show', people, [button('load', 'Send SMS', toBob, onLoad)]);
    await boss.get('/view/loads?id=1');
    let found: Loose[] = [];
    await until(async () => {
      found = await crashLog.entries();
      return found.length > 0;
    });
    expect(found[0].message).toContain('Send SMS (From +14155550100, To +15005550001): ');
    expect(JSON.stringify(found)).not.toContain('A secret word');
    expect(JSON.stringify(found)).not.toContain('connect.sid');
  });

  test('logs nothing for a visitor who may not run it', async () => {
    await createPage('closed', button('load', 'Send SMS', toBob, onLoad));
    const guest = await website.guest();
    expect(await guest.get('/page/closed')).toContain('You may not run');
    expect(await crashLog.entries()).toEqual([]);
  });
});

/** Runs Saltcorn's scheduler once. */
const tick = () => {
  let ticks = 0;
  const stop_when = () => {
    ticks += 1;
    return ticks > 1;
  };
  return saltcorn('data/models/scheduler').runScheduler({ stop_when, tickSeconds: 0.001 });
};

describe('a failure of an action in the background', () => {
  // Saltcorn's log.
  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
  });
  const about = 'Send SMS (From +14155550100, To +15005550001): ';

  test('is logged for a scheduled action', async () => {
    await createTrigger({
      name: 'often',
      when_trigger: 'Often',
      action: 'Send SMS',
      configuration: { ...sms, to: bob.phone, body: 'A secret word' },
    });
    await tick();
    const [crash, ...others] = await crashLog.entries();
    expect(others).toEqual([]);
    expect(crash.message).toContain(about + refused);
    expect(crash.url).toContain('often');
    expect(JSON.stringify(crash)).not.toContain('A secret word');
  });

  test('is logged for a scheduled action with an unknown outcome', async () => {
    await createTrigger({
      name: 'often',
      when_trigger: 'Often',
      action: 'Send SMS',
      configuration: { ...sms, to: '+12025550143', body: 'Hi' },
    });
    host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
    host.sandbox.faults.add(shownNowhere);
    await tick();
    const [crash] = await crashLog.entries();
    expect(crash.message).toContain('Send SMS (From +14155550100, To +12025550143): ');
    expect(crash.message).toContain(unknown);
    expect(host.sandbox.messages).toHaveLength(1);
  });

  test('is logged for a trigger and shown to the user who adds the row', async () => {
    await createTrigger({
      name: 'added',
      when_trigger: 'Insert',
      action: 'Send SMS',
      ...{ table_id: people.id, configuration: sms },
    });
    const shown: Loose = {};
    await people.insertRow(bob, { id: 1, role_id: 1 }, shown);
    expect(shown.error).toContain(about + refused);
    const [crash] = await crashLog.entries();
    expect(crash.message).toContain(about + refused);
    expect(JSON.stringify(crash)).not.toContain('a secret word');
  });

  test('is shown without HTML from the row, because Saltcorn puts it into a toast', async () => {
    await createTrigger({
      name: 'added',
      when_trigger: 'Insert',
      action: 'Send SMS',
      ...{ table_id: people.id, configuration: sms },
    });
    const shown: Loose = {};
    const phone = '<img src=x onerror=alert(1)>';
    await people.insertRow({ name: 'Eve', phone }, { id: 1, role_id: 1 }, shown);
    expect(shown.error).toContain('‹img src=x onerror=alert(1)›');
    expect(shown.error).not.toContain('<');
  });

  // Saltcorn spreads rows over the settings of the builder.
  const anyone = ['Send SMS', 'Send SMS for each row', 'Reply: SMS received'];
  test.each(anyone)('is logged if a row overrides the settings of “%s”', async (action) => {
    const devices = await createNative(action.replace(/[^a-z]/gi, ''), {
      configuration: 'String',
    });
    const trigger = { when_trigger: 'Insert', table_id: devices.id, configuration: sms };
    await createTrigger({ name: 'added', action, ...trigger });
    await devices.insertRow({ configuration: 'Anything' });
    const [crash] = await crashLog.entries();
    expect(crash?.message).toContain("the row's column “configuration” replaces");
    expect(host.sandbox.messages).toEqual([]);
  });

  test('is logged for an action that an event starts', async () => {
    await createTrigger({
      name: 'login',
      when_trigger: 'Login',
      action: 'Send SMS',
      configuration: { ...sms, to: bob.phone, body: 'Hi' },
    });
    model('trigger').emitEvent('Login', null, { id: 1, role_id: 1 }, {});
    await until(async () => (await crashLog.entries()).length > 0);
    const messages = (await crashLog.entries()).map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining(about + refused)]);
  });
});
