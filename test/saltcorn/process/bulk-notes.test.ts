import { shownNowhere } from '../../support/shown-nowhere.ts';
import { button, createNative, createPage, createTable, forEveryone } from '../app.ts';
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

// Each row records its outcome, so that a stopped or interrupted batch can resume.

let host: Host;
let website: Website;
let boss: Visitor;
let people: Loose;

const columns = { rows_outcome: 'sms', rows_sid: 'sms_sid', rows_time: 'sms_at' };
const configuration = {
  ...{ rows_table: 'People', rows_of_page: false, ...columns },
  ...{ from: '+14155550100', to: '{{ phone }}', body: 'Dear {{ name }}' },
};
const names = Array.from({ length: 12 }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);
const phoneOf = (name: string) => `+120255501${name.slice(1)}`;
const minute = 60_000;
const types = { name: 'String', phone: 'String', sms: 'String', sms_sid: 'String' };

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  const own = { type: 'String', is_unique: true };
  const required = { type: 'String', required: true, attributes: { default: '-' } };
  const all = { ...types, sms_at: 'Date', own, required };
  people = await createNative('People', all, [], forEveryone);
  await createTable('Calls', 'Telephony: Calls by caller id');
  await createPage('page', button('all', 'Send SMS for each row', configuration));
});
afterEach(() => jest.restoreAllMocks());
beforeEach(async () => {
  boss = await website.user();
  await installPlugin(artefact, { ...host.settings, minimumRole: '40' });
  await people.deleteRows({});
  for (const name of names) await people.insertRow({ name, phone: phoneOf(name) });
  host.sandbox.messages.length = 0;
  host.sandbox.faults.clear();
});
// What other tests sent to the same numbers doesn't count.
afterEach(() => saltcorn('data/db').query('delete from telephony_store'));

const text = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

async function openPreview(visitor: Visitor): Promise<Loose> {
  await visitor.get('/page/page');
  return press(visitor, '/page/page/action/all');
}

/** Starts a batch, and returns the text of its page once it has ended. */
async function carryOut(visitor: Visitor, run: string): Promise<string> {
  await visitor.post(`${run}/start`, {});
  for (;;) {
    const part = await visitor.get(`${run}/part`);
    if (!part.includes('<progress')) return text(part.replace(/<button.*/s, ''));
  }
}

const runNow = (overrides: object = {}): Promise<Loose> =>
  state().actions['Send SMS for each row'].run({
    configuration: { ...configuration, ...overrides },
    mode: 'workflow',
  });

const notes = async () => {
  const rows: Loose[] = await people.getRows({}, { orderBy: 'name' });
  return rows.map(({ phone, sms, sms_sid }) => [phone, sms, sms_sid]);
};

/** Sends like a worker that has ended since: this process would know its own messages. */
const forgetWhose = () =>
  installPlugin(artefact, {
    ...host.settings,
    baseUrl: host.sandbox.url.replace('127.0.0.1', 'localhost'),
  });

/** The expected columns for messages that arrived. */
const sent = () =>
  host.sandbox.messages
    .map(({ to, sid }) => [to, 'sent', sid])
    .sort(([one], [other]) => String(one).localeCompare(String(other)));

test('records the outcome, the start time and the SID of the message in each row', async () => {
  const { popup } = await openPreview(boss);
  expect(await carryOut(boss, popup)).toContain('Send SMS: 12 sent.');
  expect(await notes()).toEqual(sent());
  expect(sent()).toHaveLength(12);
  for (const { sms_at } of await people.getRows({})) {
    // By the clock of the service, which is fixed here.
    expect(Math.abs(Number(sms_at) - Date.parse('2026-11-20T12:00:00Z'))).toBeLessThan(minute);
  }
});

test('skips sent rows the next time', async () => {
  await runNow();
  expect(await openPreview(boss)).toMatchObject({
    notify: 'Send SMS: 0 sent, 12 skipped. Nothing is left to do.',
    notify_type: 'warning',
  });
  await people.insertRow({ name: 'Nil' });
  expect(await openPreview(boss)).toMatchObject({
    notify: expect.stringMatching(
      /^Send SMS: nothing was done\.<br>Skipping 12 rows: already sent\.<br>Nil: "To" is missing/,
    ),
    notify_type: 'danger',
  });
  await people.deleteRows({ name: 'Nil' });
  await people.insertRow({ name: 'P13', phone: phoneOf('P13') });
  // Counts as sent, whatever is recorded in it.
  await people.insertRow({ name: 'P01', phone: '+1 (202) 555-0101' });
  const { popup } = await openPreview(boss);
  const question = text(await boss.get(`${popup}/part`));
  expect(question).toContain('Send SMS for 1 row of “People”: P13');
  expect(question).toContain('Skipping 12 rows: already sent.');
  expect(question).toContain('Skipping 1 row: same message as another row.');
  expect(await carryOut(boss, popup)).toContain('Send SMS: 1 sent, 13 skipped.');
  expect(host.sandbox.messages.map(({ to }) => to).sort()).toEqual([...names, 'P13'].map(phoneOf));
});

test('records whether messages were delivered, and sends again what was not', async () => {
  const publicAddress = website.url;
  await installPlugin(artefact, { ...host.settings, publicAddress, reported: true });
  const unreachable = '+15005553003';
  await people.deleteRows({ phone: { in: names.slice(2).map(phoneOf) } });
  await people.updateRow({ phone: unreachable }, (await people.getRow({ name: 'P02' })).id);
  const deliver = async () => {
    host.sandbox.pass(60);
    await host.sandbox.events.settled();
  };
  const outcomes = async () => (await notes()).map(([, outcome]) => outcome);
  const { popup } = await openPreview(boss);
  expect(await carryOut(boss, popup)).toContain('Send SMS: 2 sent.');
  await deliver();
  expect(await outcomes()).toEqual(['delivered', expect.stringMatching(/^undelivered: .+/)]);
  const again = await openPreview(boss);
  expect(text(await boss.get(`${again.popup}/part`))).toContain(
    'Send SMS for 1 row of “People”: P02',
  );
  expect(await carryOut(boss, again.popup)).toContain('Send SMS: 1 sent, 1 skipped.');
  expect(await outcomes()).toEqual(['delivered', 'sent']);
  expect(host.sandbox.messages.map(({ to }) => to).sort()).toEqual(
    [phoneOf('P01'), unreachable, unreachable].sort(),
  );
});

test('sends once for two rows of the same person and marks both, even if only unmarked rows are selected', async () => {
  await people.insertRow({ name: 'P01', phone: '+1 (202) 555-0101' });
  await people.updateRow({ sms: 'no thanks' }, (await people.getRow({ name: 'P12' })).id);
  await people.insertRow({ name: 'P12', phone: '+1 (202) 555-0112' });
  const left = { rows_where: 'sms === null' };
  expect(await runNow(left)).toMatchObject({ done: 12, duplicate: 1 });
  await expect(runNow(left)).resolves.toMatchObject({ done: 0, failed: 0 });
  expect(host.sandbox.messages).toHaveLength(12);
  const both: Loose[] = await people.getRows({ name: 'P01' }, { orderBy: 'id' });
  const [{ sid }] = host.sandbox.messages.filter(({ to }) => to === phoneOf('P01')) as [Loose];
  expect(both.map(({ sms, sms_sid }) => [sms, sms_sid])).toEqual([
    ['sent', sid],
    ['sent', sid],
  ]);
  // A later row, and one in progress when Saltcorn ended.
  await people.insertRow({ name: 'P02', phone: phoneOf('P02') });
  await people.updateRow({ sms: 'in progress', sms_sid: null }, both[0].id);
  await people.updateRow({ sms: 'in progress', sms_sid: null }, both[1].id);
  await forgetWhose();
  expect(await runNow()).toMatchObject({ done: 1, alreadyDone: 11, duplicate: 3 });
  const rows: Loose[] = await people.getRows({}, { orderBy: 'id' });
  expect(rows.filter(({ sms }) => sms !== 'sent').map(({ sms }) => sms)).toEqual(['no thanks']);
  expect(host.sandbox.messages).toHaveLength(12);
});

test('confirms rows in progress instead of resending them, and names those it cannot find', async () => {
  await runNow();
  const [first, second] = await people.getRows({}, { orderBy: 'name' });
  const [lost] = host.sandbox.messages.splice(
    host.sandbox.messages.findIndex(({ to }) => to === second.phone),
    1,
  );
  await forgetWhose();
  for (const { id } of [first, second])
    await people.updateRow({ sms: 'in progress', sms_sid: null }, id);
  host.sandbox.pass(180);
  await people.insertRow({ name: 'P13', phone: phoneOf('P13') });
  // Checks the message log without waits.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const result = await runNow();
  expect(result).toMatchObject({ done: 2, alreadyDone: 10, unknown: 1 });
  expect(result.problems).toEqual([
    expect.stringMatching(/^P02 \(\+12025550102\): The plugin checked "Account Messages" until/),
  ]);
  expect(lost?.to).toBe(second.phone);
  const all = await notes();
  expect(all.filter(([, outcome]) => outcome === 'sent')).toEqual(sent());
  expect(all[1]).toEqual([second.phone, 'unknown', null]);
  // The next batch does not send it, either.
  expect(await runNow()).toMatchObject({ done: 0, alreadyDone: 12, unknown: 1 });
  expect(host.sandbox.messages).toHaveLength(12);
}, 90_000);

test('two simultaneous batches for the same rows send once', async () => {
  const clerk = await website.user(40);
  host.sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 20, times: 99 });
  const runs = [await openPreview(boss), await openPreview(clerk)];
  const parts = await Promise.all(
    [boss, clerk].map((visitor, index) => carryOut(visitor, runs[index]?.popup)),
  );
  expect(await notes()).toEqual(sent());
  expect(sent()).toHaveLength(12);
  // A row that one batch sends counts as sent in the other one, too, if that finds it in the message log first.
  const counts = parts.map((part) => /^Send SMS: (\d+) sent(?:, (\d+) skipped)?\./.exec(part));
  const all = counts.map((count, index) =>
    count ? Number(count[1]) + Number(count[2] ?? 0) : parts[index],
  );
  expect(all).toEqual([12, 12]);
});

test('records failed and unknown rows, and retries only the failed ones', async () => {
  await people.updateRow({ phone: '' }, (await people.getRow({ name: 'P01' })).id);
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  expect(await runNow()).toMatchObject({ done: 10, failed: 1, unknown: 1 });
  expect((await notes())[0]).toEqual(['', 'failed', null]);
  expect((await notes()).filter(([, outcome]) => outcome === 'unknown')).toHaveLength(1);
  await people.updateRow({ phone: phoneOf('P01') }, (await people.getRow({ name: 'P01' })).id);
  expect(await runNow()).toMatchObject({ done: 1, alreadyDone: 10, unknown: 1 });
  expect(host.sandbox.messages).toHaveLength(12);
}, 90_000);

const wrong: [string, object, string][] = [
  [
    'only some outcome columns are chosen',
    { rows_sid: '' },
    '“SID column” is empty. Choose all three columns, or none.',
  ],
  [
    'an outcome column does not exist',
    { rows_sid: 'nowhere' },
    '“SID column” needs a column of “People” of the type String that is neither required nor unique.',
  ],
  [
    'an outcome column has the wrong type',
    { rows_time: 'sms' },
    '“Time column” needs a column of “People” of the type Date that is neither required nor unique.',
  ],
  [
    'two outcome columns are the same',
    { rows_sid: 'sms' },
    '“Outcome column” and “SID column” need a column each.',
  ],
  [
    'an outcome column is required',
    { rows_sid: 'required' },
    '“SID column” needs a column of “People” of the type String that is neither required nor unique.',
  ],
  [
    'an outcome column is unique',
    { rows_outcome: 'own' },
    '“Outcome column” needs a column of “People” of the type String that is neither required nor unique.',
  ],
  [
    'an outcome column is also sent',
    { rows_sid: 'phone' },
    '“SID column” is “phone”, which the message uses. Choose another column.',
  ],
  [
    'the rows come from the service',
    { rows_table: 'Calls' },
    '“Outcome column” needs a column of “Calls” of the type String that is neither required nor unique.',
  ],
];

test.each(wrong)('sends nothing if %s', async (_, overrides, sentence) => {
  await expect(runNow(overrides)).rejects.toThrow(sentence);
  expect(host.sandbox.messages).toEqual([]);
});

test('does not change a row whose status it does not know, and says so', async () => {
  await people.updateRow({ sms: 'no thanks' }, (await people.getRow({ name: 'P01' })).id);
  const { problems } = await runNow();
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.stringContaining(
        `P01 (+12025550101): The row's status is "no thanks", which the plugin doesn't know`,
      ),
    ]),
  );
  expect((await notes())[0]).toEqual([phoneOf('P01'), 'no thanks', null]);
});

test('does not send for a row whose outcome can no longer be recorded, and says why', async () => {
  const guests = await createNative('Visitors', { ...types, sms_at: 'Date' });
  await guests.insertRow({ name: 'P01', phone: phoneOf('P01') });
  await createPage(
    'gone',
    button('all', 'Send SMS for each row', { ...configuration, rows_table: 'Visitors' }),
  );
  await boss.get('/page/gone');
  const { popup } = await press(boss, '/page/gone/action/all');
  await guests.delete();
  expect(await carryOut(boss, popup)).toBe(
    'Send SMS: 0 sent, 1 not run. P01 (+12025550101): There is no table “Visitors”. To continue, press the button again.',
  );
  expect(host.sandbox.messages).toEqual([]);
});

test('offers outcome columns by table and type', async () => {
  const fields: Loose[] = await state().actions['Send SMS for each row'].configFields();
  const offered = fields.flatMap(({ name, attributes }) =>
    attributes?.calcOptions ? [[name, attributes.calcOptions[1].People]] : [],
  );
  const texts = ['', 'name', 'phone', 'sms', 'sms_sid'];
  expect(offered).toEqual([
    ['rows_outcome', texts],
    ['rows_sid', texts],
    ['rows_time', ['', 'sms_at']],
  ]);
});

test('texts no one if a column for the outcome was deleted, and says so', async () => {
  const guests = await createNative('Guests', { ...types, sms_at: 'Date' });
  await guests.insertRow({ name: 'P01', phone: phoneOf('P01') });
  await createPage(
    'column',
    button('all', 'Send SMS for each row', { ...configuration, rows_table: 'Guests' }),
  );
  await boss.get('/page/column');
  const { popup } = await press(boss, '/page/column/action/all');
  const fields: Loose[] = await guests.getFields();
  await fields.find(({ name }) => name === 'sms_sid')?.delete();
  expect(await carryOut(boss, popup)).toBe(
    'Send SMS: 0 sent, 1 not run. P01 (+12025550101): “SID column” needs a column of “Guests” of the type String that is neither required nor unique. Nothing was done. To continue, press the button again.',
  );
  expect(host.sandbox.messages).toEqual([]);
});
