import { nocobaseStore } from '../../../plugin/nocobase/server/store.ts';
import { Batches } from '../../../src/builder.ts';
import { gateTo } from '../../support/gate.ts';
import { button, names, openBatches, phoneOf } from '../open-batches.ts';

// A button whose batch ended early: what the batch stored is enough to resume it.

const phones = names.map(phoneOf);

type Opened = Awaited<ReturnType<typeof openBatches>>;
let { sandbox, place, keys, call, end, reset } = {} as Opened;
/** Another process, which considers the first one's batches interrupted. */
let others: Batches<object>;

beforeAll(async () => {
  const { app, ...opened } = await openBatches();
  ({ sandbox, place, keys, call, end, reset } = opened);
  others = new Batches(nocobaseStore(app), { isAlone: () => true });
});
beforeEach(() => reset());

const openPreview = (user = 1) => call('preview', { ...button, rows: keys }, user);

const sent = () => sandbox.messages.map(({ to }) => to).sort();

/** Starts a batch whose first messages wait at a gate. */
async function begin() {
  // The gate lets requests for the service's time through.
  const gate = await gateTo(sandbox.url, (path) => path.includes('/Messages'));
  place.baseUrl = gate.url;
  const { key } = await openPreview();
  await call('start', { key });
  await gate.holds(5);
  return { gate, key };
}

/** Starts a batch of the same action in another process, which ends this one. */
async function resumeElsewhere() {
  const press = { owner: '0', actionId: 'send-sms', scope: 'a', button: 'another', context: {} };
  const key = await others.press(press);
  await others.preview(key, { items: [] }, {});
  await others.start(key, '0', { action: { id: press.actionId } } as never);
}

test('continues after a crash, for any user who presses the button', async () => {
  const { gate, key } = await begin();
  await resumeElsewhere();
  expect(await call('see', { key })).toMatchObject({
    ...{ state: 'interrupted', counts: { done: 0, unknown: 5, 'not-run': 7 } },
  });
  const next = await openPreview(2);
  expect(next).toMatchObject({ state: 'preview', counts: { waiting: 12 } });
  expect(next.pending?.who).toHaveLength(5);
  expect(next.waiting).toHaveLength(7);
  await gate.open();
  await call('start', { key: next.key }, 2);
  const { counts } = await end(next, 2);
  // Messages in progress end in the meantime, or are confirmed.
  expect(counts.done + counts['already-done']).toBe(12);
  expect(sent()).toEqual(phones);
});

test('offers no message that a batch in progress sends', async () => {
  const { gate, key } = await begin();
  const asked = await openPreview();
  expect(asked.counts).toMatchObject({ waiting: 0, failed: 12 });
  expect(asked.problems[0]?.message).toContain('A BATCH THAT IS IN PROGRESS SENDS THIS.');
  expect(await call('start', { key: asked.key })).toMatchObject({ state: 'preview' });
  await gate.open();
  await end({ key });
  expect(sent()).toEqual(phones);
});

test('resumes a stopped batch, then skips everyone', async () => {
  const { gate, key } = await begin();
  await call('stop', { key });
  await gate.open();
  expect((await end({ key })).counts).toMatchObject({ done: 5, 'not-run': 7 });
  const next = await openPreview();
  expect(next.counts).toMatchObject({ waiting: 7, 'already-done': 5 });
  await call('start', { key: next.key });
  await end(next);
  expect(sent()).toEqual(phones);
  expect((await openPreview()).counts).toMatchObject({ waiting: 0, 'already-done': 12 });
});
