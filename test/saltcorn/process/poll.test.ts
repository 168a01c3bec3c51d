import { storeHash } from '../../../src/builder.ts';
import { pollClock } from '../../support/poll-clock.ts';
import { until } from '../../support/until.ts';
import { createTrigger } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

const [customer, ours] = ['+12025550143', '+14155550100'];

let host: Host;
let crashLog: CrashLog;
let website: Website;
let emitted: Loose[] = [];

const query = async (sql: string): Promise<Loose[]> => (await saltcorn('data/db').query(sql)).rows;
const install = (settings: object = {}) =>
  installPlugin(artefact, { ...host.settings, pollMinutes: 1, ...settings });

const pass = pollClock();

beforeAll(async () => {
  host = await startSaltcorn();
  crashLog = openCrashLog();
  website = await startWebsite();
  state().actions.capture = { run: ({ row }: Loose) => void emitted.push(row) };
  for (const name of ['SMS received', 'Message status'])
    await createTrigger({ name: `on ${name}`, action: 'capture', when_trigger: name });
  await install();
  await poll();
});

/** An entry of polling in the store. */
async function kept(key: 'state' | 'cursor'): Promise<Loose> {
  const id = storeHash('poll ', key);
  const [row] = await query(`select body from telephony_store where id = '${id}'`).catch(() => []);
  return row && JSON.parse(row.body).value;
}
const begunAt = async () => Number((await kept('state'))?.begunAt ?? 0);

/** The queries of one check end before so many others. */
async function aLook() {
  for (let count = 0; count < 50; count += 1) await query('select 1');
}

const keptSends = () =>
  query(`select 1 from telephony_store where kind = '${storeHash('single sends')}'`);

/** Advances the clock to the next poll, and waits for its end. */
async function poll(milliseconds = 60_000) {
  const before = await begunAt();
  pass(milliseconds);
  await until(async () => {
    const state = await kept('state');
    return state?.begunAt > before && !state.lease;
  });
  await aLook();
}

/** Waits until the cursor is reset. */
const forgotten = () =>
  until(async () => {
    pass(1_000);
    await aLook();
    return (await kept('state')) === undefined;
  });

/** Advances the clock, and expects no poll. */
async function askNothing(milliseconds = 60_000) {
  const before = await begunAt();
  pass(milliseconds);
  await aLook();
  expect(await begunAt()).toBe(before);
  expect(lists()).toEqual([]);
}

const comesIn = (body = 'Hello') =>
  host.sandbox.receiveMessage({ from: customer, to: ours, body }).sid;
const lists = () =>
  host.sandbox.requests.splice(0).map(({ path }) => path.replace(/.*\/(\w+)\.json.*/, '$1'));
const sids = () => emitted.map(({ sid }) => sid);
const settingsPage = async () => (await website.user()).get('/plugins/configure/telephony');
describe('polling every minute', () => {
  beforeEach(async () => {
    await poll();
    emitted = [];
    host.sandbox.requests.length = 0;
  });

  test('leaves the database alone until polling is due', async () => {
    await aLook();
    const asked = jest.spyOn(saltcorn('data/db'), 'query');
    for (let seconds = 0; seconds < 45; seconds += 3) {
      pass(3_000);
      await aLook();
    }
    const texts = asked.mock.calls.map(([text]) => String(text));
    asked.mockRestore();
    expect(texts.filter((text) => text !== 'select 1')).toEqual([]);
  });

  test('starts triggers once, with the whole record', async () => {
    const sid = comesIn('Are you open?');
    await poll();
    await poll();
    expect(emitted).toEqual([
      expect.objectContaining({ sid, body: 'Are you open?', from: customer, direction: 'inbound' }),
    ]);
    expect(lists()).toEqual(['Messages', 'Messages']);
  });

  test('sends the reply of a trigger as an SMS to the sender, once', async () => {
    const before = (await crashLog.messages()).length;
    const trigger = await createTrigger({
      ...{ name: 'thank', action: 'Reply: SMS received', when_trigger: 'SMS received' },
      configuration: { text: 'Thank you for “{{ body }}”!' },
    });
    comesIn();
    await poll();
    await poll();
    expect(
      host.sandbox.messages
        .filter(({ body }) => body.startsWith('Thank you for'))
        .map(({ from, to, body, direction }) => ({ from, to, body, direction })),
    ).toEqual([
      { from: ours, to: customer, body: 'Thank you for “Hello”!', direction: 'outbound-api' },
    ]);
    // Previews of batches know it.
    expect(await keptSends()).toHaveLength(1);
    expect((await crashLog.messages()).slice(before)).toEqual([]);
    await trigger.delete();
    await state().refresh_triggers();
    host.sandbox.pass(60);
    await poll();
  });

  test('shows a failing service in the settings, logs it once and loses no event', async () => {
    const before = (await crashLog.messages()).length;
    expect(await settingsPage()).toMatch(
      /Last poll: <telephony-time lang="en"><time [^>]+>\w{3}, \d+ \w{3} \d{4} [\d:]+ GMT<\/time><\/telephony-time>\./,
    );
    host.sandbox.faults.add({ name: 'missing', path: 'Messages', times: 2 });
    const sid = comesIn();
    await poll();
    await poll();
    expect(emitted).toEqual([]);
    const [line, ...others] = (await crashLog.messages()).slice(before);
    expect([line, others]).toEqual([expect.stringMatching(/^Polling: /), []]);
    expect(await settingsPage()).toContain(line?.replace('Polling: ', ''));
    await poll();
    expect(sids()).toEqual([sid]);
    expect(await settingsPage()).toMatch(
      /Last poll: <telephony-time [^>]+><time [^>]+>[^.]+ GMT<\/time><\/telephony-time>\.\s*</,
    );
  });

  test('delivers an event once if it also arrives by webhook', async () => {
    await install({ publicAddress: website.url });
    host.sandbox.events.numbers.set(ours, { smsUrl: `${website.url}/telephony/events` });
    const sid = comesIn();
    await host.sandbox.events.settled();
    await poll();
    expect(host.sandbox.events.log.map(({ tries }) => tries)).toEqual([[200]]);
    expect(sids()).toEqual([sid]);
    host.sandbox.events.numbers.clear();
  });

  test('loses no event while Saltcorn still loads its triggers', async () => {
    const sid = comesIn();
    host.sandbox.pass(60);
    const { triggers } = state();
    state().triggers = [];
    await askNothing();
    state().triggers = triggers;
    await poll();
    expect(sids()).toEqual([sid]);
  });

  test('logs a broken store once and loses no event', async () => {
    const sid = comesIn();
    const before = (await crashLog.messages()).length;
    await query('alter table telephony_store rename to put_away');
    await query('create table telephony_store (find_by text, kind text, at integer)');
    pass(60_000);
    await until(async () => (await crashLog.messages()).length > before);
    pass(60_000);
    await aLook();
    expect(await settingsPage()).toMatch(/Could not read the status: .*no such column/);
    expect((await crashLog.messages()).slice(before)).toEqual([
      expect.stringMatching(/^Polling failed: .*no such column/),
    ]);
    await query('drop table telephony_store');
    await query('alter table put_away rename to telephony_store');
    await poll();
    expect(sids()).toEqual([sid]);
  });

  test('stops when the module is removed and resumes when it is installed again', async () => {
    const { plugins } = state();
    const { telephony } = plugins;
    delete plugins.telephony;
    const sid = comesIn();
    await askNothing();
    plugins.telephony = telephony;
    await poll();
    expect(sids()).toEqual([sid]);
  });

  test('creates a deleted table again', async () => {
    const before = (await crashLog.messages()).length;
    await query('drop table telephony_store');
    // Earlier events are older than the new cursor, because the delivery log is gone, too.
    host.sandbox.pass(60);
    pass(60_000);
    await until(async () => (await crashLog.messages()).length > before);
    await poll();
    const sid = comesIn();
    await poll();
    expect(sids()).toEqual([sid]);
  });

  test('continues when the settings are saved again, and delivers each event once', async () => {
    const first = comesIn();
    await poll();
    const second = comesIn();
    await install();
    await poll();
    expect(sids()).toEqual([first, second]);
  });

  test('stops at an interval of 0 and starts from now when it is turned on again', async () => {
    await install({ pollMinutes: 0 });
    await forgotten();
    comesIn();
    host.sandbox.pass(60);
    await askNothing(600_000);
    await install();
    await poll();
    expect(emitted).toEqual([]);
    const sid = comesIn();
    await poll();
    expect(sids()).toEqual([sid]);
  });

  test('polls at once for the event of a new trigger, then at the usual interval', async () => {
    await createTrigger({
      ...{ name: 'on Call status', action: 'capture', when_trigger: 'Call status' },
    });
    await poll(4_000);
    expect(await kept('cursor')).toContain('call-status');
    const { sid } = host.sandbox.receiveCall({ from: customer, to: ours });
    expect(lists().sort()).toEqual(['Calls', 'Messages']);
    await askNothing(3_000);
    await poll();
    expect(sids()).toEqual([sid]);
  });
});
