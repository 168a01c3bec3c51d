import cluster from 'node:cluster';
import { doorTo } from '../../support/door.ts';
import { gateIn } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { createTrigger, loadedTrigger } from '../app.ts';
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
  installPlugin(artefact, { ...host.settings, askMinutes: 1, ...settings });

beforeAll(async () => {
  // What is tested is when it is asked; all else takes the time that it takes.
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
    ],
  });
  host = await startSaltcorn();
  crashLog = openCrashLog();
  website = await startWebsite();
  state().actions.capture = { run: ({ row }: Loose) => void emitted.push(row) };
  for (const name of ['SMS received', 'Message status'])
    await createTrigger({ name: `on ${name}`, action: 'capture', when_trigger: name });
  await install();
  await answered();
});
afterAll(() => void jest.useRealTimers());
const isOver = async () => {
  const rows = await query('select until, begun_at from telephony_polled_events').catch(() => []);
  return rows.some(({ until, begun_at: at }) => Number(until) === 0 && Number(at) > 0);
};

/** The few questions of one look are answered before so many others. */
async function aLook() {
  for (let count = 0; count < 50; count += 1) await query('select 1');
}

/** Waits until the service was asked, and until who asked it has seen that its turn is over. */
async function answered() {
  await until(isOver);
  await aLook();
}

/** Lets the time pass until the service is asked again, and waits for the answer. */
async function ask() {
  await query('update telephony_polled_events set begun_at = 0');
  jest.advanceTimersByTime(60_000);
  await answered();
}

/** Waits until it is forgotten how far events were read. */
const forgotten = () =>
  until(async () => (await query('select so_far from telephony_polled_events'))[0]?.so_far === '');

/** Lets time pass, within which the service is not to be asked. */
async function askNothing(milliseconds = 60_000) {
  const begun = 'select begun_at from telephony_polled_events';
  const before = await query(begun);
  jest.advanceTimersByTime(milliseconds);
  await aLook();
  expect(await query(begun)).toEqual(before);
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
    await ask();
    emitted = [];
    host.sandbox.requests.length = 0;
  });

  test('leaves the database alone until polling is due', async () => {
    await aLook();
    const asked = jest.spyOn(saltcorn('data/db'), 'query');
    for (let seconds = 0; seconds < 54; seconds += 3) {
      jest.advanceTimersByTime(3_000);
      await aLook();
    }
    const texts = asked.mock.calls.map(([text]) => String(text));
    asked.mockRestore();
    expect(texts.filter((text) => text !== 'select 1')).toEqual([]);
  });

  test('starts triggers once, with the whole record', async () => {
    const sid = comesIn('Are you open?');
    await ask();
    await ask();
    expect(emitted).toEqual([
      expect.objectContaining({ sid, body: 'Are you open?', from: customer, direction: 'inbound' }),
    ]);
    expect(lists()).toEqual(['Messages', 'Messages']);
  });

  test('delivers the current status of a message', async () => {
    await createTrigger({
      ...{ name: 'send', action: 'Send SMS', when_trigger: 'Never' },
      configuration: { from: ours, to: customer, body: 'Hi' },
    });
    await loadedTrigger('send').runWithoutRow({ row: {} });
    host.sandbox.pass(1);
    await ask();
    host.sandbox.pass(60);
    await ask();
    expect(emitted.map(({ status }) => status)).toEqual(['sent', 'delivered']);
  });

  test('does not poll twice within a minute', async () => {
    await askNothing();
  });

  test('shows a failing service in the settings, logs it once and loses no event', async () => {
    const before = (await crashLog.messages()).length;
    expect(await settingsPage()).toMatch(/Last poll: \w{3}, \d+ \w{3} \d{4} [\d:]+ GMT\./);
    host.sandbox.faults.add({ name: 'missing', path: 'Messages', times: 2 });
    const sid = comesIn();
    await ask();
    await ask();
    expect(emitted).toEqual([]);
    const [line, ...others] = (await crashLog.messages()).slice(before);
    expect([line, others]).toEqual([expect.stringMatching(/^Polling: /), []]);
    expect(await settingsPage()).toContain(line?.replace('Polling: ', ''));
    await ask();
    expect(sids()).toEqual([sid]);
    expect(await settingsPage()).toMatch(/Last poll: [^.]+ GMT\.\s*</);
  });

  test('delivers an event once if it also arrives by webhook', async () => {
    await install({ publicAddress: website.url });
    host.sandbox.events.numbers.set(ours, { smsUrl: `${website.url}/telephony/events` });
    const sid = comesIn();
    await host.sandbox.events.settled();
    await ask();
    expect(host.sandbox.events.log.map(({ tries }) => tries)).toEqual([[200]]);
    expect(sids()).toEqual([sid]);
    host.sandbox.events.numbers.clear();
  });

  test('loses no event while Saltcorn still loads its triggers', async () => {
    const sid = comesIn();
    host.sandbox.pass(60);
    const { triggers } = state();
    state().triggers = [];
    await query('update telephony_polled_events set begun_at = 0');
    await askNothing();
    state().triggers = triggers;
    await ask();
    expect(sids()).toEqual([sid]);
  });

  test('logs a broken cursor table and loses no event', async () => {
    const sid = comesIn();
    const before = (await crashLog.messages()).length;
    await query('alter table telephony_polled_events rename to put_away');
    await query('create view telephony_polled_events as select 1 as id');
    jest.advanceTimersByTime(60_000);
    await until(async () => (await crashLog.messages()).length > before);
    jest.advanceTimersByTime(60_000);
    expect(await settingsPage()).toMatch(/The result cannot be read: .*answered_at/);
    expect((await crashLog.messages()).slice(before)).toEqual([
      expect.stringMatching(/^Polling failed: .*so_far/),
    ]);
    await query('drop view telephony_polled_events');
    await query('alter table put_away rename to telephony_polled_events');
    await ask();
    expect(sids()).toEqual([sid]);
  });

  test('stops when the module is removed and resumes when it is installed again', async () => {
    const { plugins } = state();
    const { telephony } = plugins;
    delete plugins.telephony;
    const sid = comesIn();
    await query('update telephony_polled_events set begun_at = 0');
    await askNothing();
    plugins.telephony = telephony;
    await ask();
    expect(sids()).toEqual([sid]);
  });

  test('creates deleted tables again', async () => {
    const before = (await crashLog.messages()).length;
    await query('drop table telephony_polled_events');
    jest.advanceTimersByTime(60_000);
    await until(async () => (await crashLog.messages()).length > before);
    jest.advanceTimersByTime(60_000);
    await answered();
    await query('drop table telephony_store');
    const sid = comesIn();
    await ask();
    await ask();
    expect(sids()).toEqual([sid]);
  });

  test('starts from now if the cursor was deleted', async () => {
    await query('delete from telephony_polled_events');
    comesIn();
    host.sandbox.pass(60);
    jest.advanceTimersByTime(60_000);
    await answered();
    expect(emitted).toEqual([]);
    const sid = comesIn();
    await ask();
    expect(sids()).toEqual([sid]);
  });

  test('continues when the settings are saved again, and delivers each event once', async () => {
    const first = comesIn();
    await ask();
    const second = comesIn();
    await install();
    await ask();
    expect(sids()).toEqual([first, second]);
  });

  test('stops at an interval of 0 and starts from now when it is turned on again', async () => {
    await install({ askMinutes: 0 });
    await forgotten();
    comesIn();
    host.sandbox.pass(60);
    await askNothing(600_000);
    await install();
    await ask();
    expect(emitted).toEqual([]);
    const sid = comesIn();
    await ask();
    expect(sids()).toEqual([sid]);
  });

  /** Sets it to 0 while the service, which something is new at, has not answered yet. */
  async function setTo0WhileAsking() {
    const door = await doorTo(host.sandbox.url);
    const { url: baseUrl } = door;
    await install({ baseUrl });
    await ask();
    await query('update telephony_polled_events set begun_at = 0');
    const first = comesIn();
    let requests = 0;
    const gate = gateIn(door, () => {
      requests += 1;
      return requests === 1;
    });
    jest.advanceTimersByTime(60_000);
    await gate.holds(1);
    await install({ baseUrl, askMinutes: 0 });
    await forgotten();
    return { baseUrl, gate, first };
  }

  test('resets the cursor even if a poll is in progress when the interval becomes 0', async () => {
    const { baseUrl, gate, first } = await setTo0WhileAsking();
    await gate.open();
    await until(() => emitted.length > 0);
    lists();
    comesIn();
    host.sandbox.pass(60);
    await askNothing();
    await install({ baseUrl });
    await ask();
    expect(sids()).toEqual([first]);
    const next = comesIn();
    await ask();
    expect(sids()).toEqual([first, next]);
    await install();
  });

  test('a poll from before the interval was 0 does not advance the new cursor', async () => {
    const { baseUrl, gate, first } = await setTo0WhileAsking();
    host.sandbox.pass(60);
    await install({ baseUrl });
    await answered();
    const soFar = 'select so_far from telephony_polled_events';
    const before = await query(soFar);
    expect(emitted).toEqual([]);
    await gate.open();
    await until(() => emitted.length > 0);
    await aLook();
    expect(sids()).toEqual([first]);
    expect(await query(soFar)).toEqual(before);
    await install();
  });

  test('polls at once for the event of a new trigger, then at the usual interval', async () => {
    await createTrigger({
      ...{ name: 'on Call status', action: 'capture', when_trigger: 'Call status' },
    });
    await query('update telephony_polled_events set begun_at = begun_at - 3000');
    jest.advanceTimersByTime(3_000);
    const known = "select 1 from telephony_polled_events where so_far like '%call-status%'";
    await until(async () => (await query(known)).length > 0);
    await answered();
    const { sid } = host.sandbox.receiveCall({ from: customer, to: ours });
    await query('update telephony_polled_events set begun_at = begun_at - 3000');
    expect(lists().sort()).toEqual(['Calls', 'Messages']);
    await askNothing(3_000);
    await ask();
    expect(sids()).toEqual([sid]);
  });
});

describe('of two workers', () => {
  // Saltcorn's database is the one that is named when it is loaded.
  const worker = (name: string) => {
    const { pollTurns } = require('../../../plugin/saltcorn/event/poll-turns.ts');
    return (pollTurns as typeof import('../../../plugin/saltcorn/event/poll-turns.ts').pollTurns)(
      name,
    );
  };
  const lastPoll = async () => {
    const { lastPoll: last } = require('../../../plugin/saltcorn/event/poll-turns.ts');
    return last();
  };
  let connectObj: Loose;
  beforeAll(async () => {
    await install({ askMinutes: 0 });
    await forgotten();
  });
  beforeEach(async () => {
    ({ connectObj } = saltcorn('data/db'));
    connectObj.multi_node = true;
    await query('update telephony_polled_events set begun_at = 0, until = 0');
  });
  afterEach(() => {
    connectObj.multi_node = false;
  });

  test('only one polls', async () => {
    const [one, other] = [worker('one'), worker('other')];
    const begun = await Promise.all([one.begin(60_000), other.begin(60_000)]);
    expect(begun.sort()).toEqual([false, true]);
  });

  test('the other polls once the first has ended or its lease has expired', async () => {
    const [one, other] = [worker('one'), worker('other')];
    expect(await one.begin(60_000)).toBe(true);
    await query('update telephony_polled_events set begun_at = begun_at - 60000');
    expect(await other.begin(60_000)).toBe(false);
    await one.end();
    expect(await other.begin(60_000)).toBe(true);
    await query(
      'update telephony_polled_events set begun_at = begun_at - 180000, until = until - 180000',
    );
    expect(await one.begin(60_000)).toBe(true);
    await other.soFar.write('too late');
    await other.end('too late');
    expect(await one.soFar.read()).not.toBe('too late');
    expect((await lastPoll()).problem).toBe('');
    expect(await other.begin(60_000)).toBe(false);
  });

  test('one whose clock was ahead does not block the other', async () => {
    const [one, other] = [worker('one'), worker('other')];
    expect(await one.begin(60_000)).toBe(true);
    await query(
      'update telephony_polled_events set begun_at = begun_at + 3600000, until = until + 3600000',
    );
    expect(await other.begin(60_000)).toBe(true);
  });

  test('the only one after a restart does not wait for an old lease', async () => {
    connectObj.multi_node = false;
    const [one, other] = [worker('one'), worker('other')];
    expect(await one.begin(60_000)).toBe(true);
    await query('update telephony_polled_events set begun_at = begun_at - 60000');
    expect(await other.begin(60_000)).toBe(true);
  });

  test('one keeps its lease against the process that started them', async () => {
    connectObj.multi_node = false;
    const [one, starter] = [worker('one'), worker('starter')];
    expect(await one.begin(60_000)).toBe(true);
    await query('update telephony_polled_events set begun_at = begun_at - 60000');
    Object.assign(cluster, { workers: { 1: {} } });
    const begun = await starter.begin(60_000);
    Object.assign(cluster, { workers: {} });
    expect(begun).toBe(false);
  });
});
