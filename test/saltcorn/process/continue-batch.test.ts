import { gateTo } from '../../support/gate.ts';
import {
  button,
  createList,
  createNative,
  createPage,
  createTrigger,
  forEveryone,
  loadedTrigger,
} from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
} from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { press } from './press.ts';

// A button without columns for outcomes: what its batch stored is enough to resume it.

let host: Host;
let website: Website;
let boss: Visitor;
let people: Loose;
type Module = typeof import('../../../plugin/saltcorn/bulk/batches.ts');
/** The batches in another process. */
let others: Module['batches'];

const configuration = {
  ...{ rows_table: 'People', rows_of_page: false, from: '+14155550100' },
  ...{ to: '{{ phone }}', body: 'Dear {{ name }}' },
};
const columns = { rows_outcome: 'sms', rows_sid: 'sms_sid', rows_time: 'sms_at' };
const names = Array.from({ length: 12 }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);
const phones = names.map((name) => `+120255501${name.slice(1)}`);

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  ({ batches: others } = require('../../../plugin/saltcorn/bulk/batches.ts'));
  const texts = ['name', 'phone', 'sms', 'sms_sid'];
  const types = { ...Object.fromEntries(texts.map((name) => [name, 'String'])), sms_at: 'Date' };
  people = await createNative('People', types, [], forEveryone);
  for (const [index, name] of names.entries())
    await people.insertRow({ name, phone: phones[index] });
  const { rows_table: _, rows_of_page: __, ...sms } = configuration;
  const buttons = [button('recording', 'Send SMS', { ...sms, ...columns })];
  await createList('list', people, ['name'], { buttons });
  const one = { ...configuration, rows_where: "name === 'P01'" };
  for (const [name, more] of Object.entries({ each: {}, 'recording each': columns }))
    await createTrigger({
      ...{ name, action: 'Send SMS for each row', when_trigger: 'Never' },
      configuration: { ...one, ...more },
    });
  await createPage('page', button('all', 'Send SMS for each row', configuration));
  const corrected = { ...configuration, body: 'Hello {{ name }}' };
  await createPage('corrected', button('all', 'Send SMS for each row', corrected));
  const first = { ...corrected, rows_where: "name === 'P01'" };
  const single = { from: '+14155550100', to: phones[0], body: 'Dear P01' };
  await createPage('single', button('sms', 'Send SMS', single));
  await createPage('corrected-first', button('all', 'Send SMS for each row', first));
});
beforeEach(async () => {
  boss = await website.user();
  await installPlugin(artefact, host.settings);
  await others.find('none', 'no one');
  await saltcorn('data/db').query('delete from telephony_store');
  host.sandbox.messages.length = 0;
  for (const { id, sms } of await people.getRows({}))
    if (sms) await people.updateRow({ sms: null, sms_sid: null, sms_at: null }, id);
});

const text = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

async function openPreview(visitor = boss, page = 'page'): Promise<string> {
  await visitor.get(`/page/${page}`);
  const { popup, notify } = await press(visitor, `/page/${page}/action/all`);
  if (!popup) throw new Error(notify);
  return popup;
}

async function end(visitor: Visitor, run: string): Promise<string> {
  for (;;) {
    const part = await visitor.get(`${run}/part`);
    if (!part.includes('<progress')) return text(part);
  }
}

/** Requests for the service's clock must not wait. */
const isSending = (path: string) => path.endsWith('/Messages.json');

const sent = () => host.sandbox.messages.map(({ to }) => to).sort();

/** Starts a batch of the same action in another process, which considers other batches interrupted. */
async function resumeElsewhere() {
  const press = { owner: 'no one', actionId: 'send-sms', button: 'another', context: {} };
  const key = await others.press(press);
  await others.preview(key, { items: [] }, {});
  await others.start(key, 'no one', { action: { id: press.actionId } } as never);
}

/** Starts a batch that another process takes for interrupted while some of its rows are in progress. */
async function interrupt() {
  const gate = await gateTo(host.sandbox.url, isSending);
  await installPlugin(artefact, { ...host.settings, baseUrl: gate.url });
  const run = await openPreview();
  await boss.post(`${run}/start`, {});
  await gate.holds(5);
  await resumeElsewhere();
  return { gate, run };
}

test('continues after a crash, for any user who presses the button', async () => {
  const { gate, run } = await interrupt();
  const part = text(await boss.get(`${run}/part`));
  expect(part).toContain('Send SMS: 0 sent, 5 unknown, 7 not run.');
  expect(part).toContain('To continue, press the button again.');
  const other = await website.user();
  const next = await openPreview(other);
  const question = text(await other.get(`${next}/part`));
  expect(question).toContain('Send SMS for 7 rows of “People”:');
  expect(question).toContain('Outcome unknown: 5 rows.');
  expect(question).toContain('Send 7 SMS');
  await gate.open();
  await other.post(`${next}/start`, {});
  // Messages in progress end in the meantime, or are confirmed.
  expect(await end(other, next)).toMatch(
    /Send SMS: (12 sent\. Found in the account's log, so not sent again: 5 rows\.|7 sent, 5 skipped\.)/,
  );
  expect(sent()).toEqual(phones);
});

test('shows the progress of a batch if the button is pressed again during it', async () => {
  const gate = await gateTo(host.sandbox.url, isSending);
  await installPlugin(artefact, { ...host.settings, baseUrl: gate.url });
  const [run, asked] = [await openPreview(), await openPreview()];
  await boss.post(`${run}/start`, {});
  await gate.holds(5);
  expect(await openPreview()).toBe(run);
  expect(text(await boss.get(`${run}/part`))).toMatch(/^0 of 12: .* Stop$/);
  const again = text(await boss.post(`${asked}/start`, {}));
  expect(again).toContain('Skipping 12 rows:');
  expect(again).toContain('A batch that is in progress sends this.');
  expect(again).not.toContain('Send 12 SMS');
  await gate.open();
  await end(boss, run);
  expect(sent()).toEqual(phones);
});

/** Runs a batch that its user stops after five rows, and returns its result. */
async function stopBatch(): Promise<string> {
  const gate = await gateTo(host.sandbox.url, isSending);
  await installPlugin(artefact, { ...host.settings, baseUrl: gate.url });
  const run = await openPreview();
  await boss.post(`${run}/start`, {});
  await gate.holds(5);
  await boss.post(`${run}/stop`, {});
  await gate.open();
  return end(boss, run);
}

test('resumes a stopped batch, then skips everyone', async () => {
  expect(await stopBatch()).toContain('Send SMS: 5 sent, 7 not run.');
  const next = await openPreview();
  const question = text(await boss.get(`${next}/part`));
  expect(question).toContain('Skipping 5 rows: already sent.');
  await boss.post(`${next}/start`, {});
  expect(await end(boss, next)).toContain('Send SMS: 7 sent, 5 skipped.');
  expect(sent()).toEqual(phones);
  expect(text(await boss.get(`${await openPreview()}/part`))).toContain(
    'This was already sent to 12 of these rows.',
  );
});

/** Stops a batch after five rows, then corrects its text. */
async function stopAndCorrect(filter = '') {
  await stopBatch();
  return openPreview(boss, `corrected${filter}`);
}

test('a corrected text skips the rows that got the other one, or includes them if the user wants', async () => {
  const skipping = await stopAndCorrect();
  const page = await boss.get(`${skipping}/part`);
  expect(page).toMatch(/autocomplete="off" checked/);
  expect(text(page)).toMatch(
    /^An earlier batch sent another text to 5 of these rows within the last day\. Skip these rows Send SMS for 7 rows/,
  );
  const [, including = ''] =
    /id="run-([^"]+)"/.exec(await boss.post(`${skipping}/skipsChanged-no`, {})) ?? [];
  const next = skipping.replace(/[^/]+$/, including);
  expect(next).not.toBe(skipping);
  const other = await boss.get(`${next}/part`);
  expect(other).not.toMatch(/autocomplete="off" checked/);
  expect(text(other)).toMatch(
    /^An earlier batch sent another text to 5 of these rows within the last day\. Skip these rows Send SMS for 12 rows/,
  );
  // The first preview stays as another tab shows it.
  expect(await boss.get(`${skipping}/part`)).toBe(page);
  await boss.post(`${skipping}/start`, {});
  expect(await end(boss, skipping)).toContain('Send SMS: 7 sent, 5 skipped.');
  expect(sent()).toEqual(phones);
  expect(host.sandbox.messages.filter(({ body }) => body.startsWith('Hello')).length).toBe(7);
});

test('only the user of a preview can choose its rows', async () => {
  const run = await stopAndCorrect();
  const visitor = await website.user();
  expect(text(await visitor.post(`${run}/skipsChanged-no`, {}))).toBe(
    'This batch has ended or belongs to someone else. Preview it again.',
  );
});

test('a corrected text for rows that all got the other one is offered, but not sent by itself', async () => {
  const run = await stopAndCorrect('-first');
  expect(text(await boss.get(`${run}/part`))).toBe(
    'An earlier batch sent another text to 1 of these rows within the last day. Skip these rows Nothing is left to send: all rows are skipped. Close',
  );
});

const rowId = async () => (await people.getRows({ name: 'P01' }))[0].id;

test.each<[what: string, send: () => Promise<unknown>]>([
  ['a button', () => boss.post('/page/single/action/sms', {})],
  [
    'a button with an outcome column',
    async () => boss.post('/view/list/run_action', { rndid: 'recording', id: await rowId() }),
  ],
  ['a trigger for each row', () => loadedTrigger('each').runWithoutRow({})],
  [
    'a trigger for each row with an outcome column',
    () => loadedTrigger('recording each').runWithoutRow({}),
  ],
])('a row that %s texted today is skipped, or included if the user wants', async (_, send) => {
  await send();
  expect(sent()).toEqual([phones[0]]);
  const run = await openPreview();
  const page = await boss.get(`${run}/part`);
  expect(page).toMatch(/autocomplete="off" checked/);
  expect(text(page)).toMatch(
    /^This was already sent to 1 of these rows\. Skip these rows Send SMS for 11 rows/,
  );
  expect(text(await boss.post(`${run}/skipsSent-no`, {}))).toContain(
    'Skip these rows Send SMS for 12 rows',
  );
  await boss.post(`${run}/start`, {});
  expect(await end(boss, run)).toContain('Send SMS: 11 sent, 1 skipped.');
  expect(sent()).toEqual(phones);
});
