import { storeTable } from '../../../plugin/nocobase/resources.ts';
import type { Account, Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { runHandlers } from '../../../plugin/nocobase/server/bulk/bulk-run.ts';
import type { Application, Context, Handler } from '../../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import type { BatchView } from '../../../src/builder.ts';
import { Batches, connect, type Telephony } from '../../../src/builder.ts';
import { gateTo } from '../../support/gate.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { openDatabase } from '../open-database.ts';

// A button whose batch ended early: what the batch stored is enough to resume it.

const names = Array.from({ length: 12 }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);
const phones = names.map((name) => `+120255501${name.slice(1)}`);
const people = {
  name: 'people',
  fields: ['name', 'phone'].map((name) => ({ name, type: 'string' })),
};
const input = { to: [{ column: 'phone' }], body: ['Dear ', { column: 'name' }] };

let db: Awaited<ReturnType<typeof openDatabase>>;
let sandbox: Sandbox;
let handlers: Record<string, Handler>;
/** Another process, which considers the first one's batches interrupted. */
let others: Batches<object>;
let rows: number[];
let telephony: Telephony;

/** Opens the account at a base URL. */
function open(baseUrl: string) {
  const { username, password } = sandbox;
  telephony = connect({ username, password, baseUrl });
}

beforeAll(async () => {
  [db, sandbox] = [await openDatabase([storeCollection, people]), await openSandbox()];
  for (const [index, name] of names.entries())
    await db.getRepository('people').create({ values: { name, phone: phones[index] } });
  rows = (await db.getRepository('people').find({ sort: ['id'] })).map((row) =>
    Number(row.get('id')),
  );
  const source = {
    acl: {
      middleware: () => (reading: { permission: object }, next: () => Promise<void>) => {
        Object.assign(reading.permission, { can: {} });
        return next();
      },
    },
    collectionManager: { getCollection: (name: string) => db.getCollection(name) },
  };
  const app = {
    ...{ db, dataSourceManager: { get: () => source } },
    logger: { error: () => {} },
  } as unknown as Application;
  const account = {
    ...{ key: 'a', settings: {}, defaultSender: '+14155550100', roles: { 'send-sms': ['clerk'] } },
    buttonRoles: {},
    telephony: () => telephony,
  } as unknown as Account;
  const accounts = { get: async () => account } as unknown as Accounts;
  handlers = runHandlers(app, accounts, new Batches(nocobaseStore(app)));
  others = new Batches(nocobaseStore(app), { isAlone: () => true });
});
beforeEach(async () => {
  open(sandbox.url);
  sandbox.messages.length = 0;
  await db.getCollection(storeTable).model.destroy({ where: {} });
});

/** A request of the browser, and the view that it gets. */
async function call(what: string, values: object, user = 1): Promise<BatchView> {
  const context = {
    ...{ action: { params: { values } }, state: { currentRoles: ['clerk'] } },
    ...{ auth: { user: { id: user } }, body: undefined as unknown },
  };
  await handlers[what]?.(context as unknown as Context, async () => {});
  return context.body as BatchView;
}

const openPreview = (user = 1) =>
  call(
    'preview',
    { action: 'send-sms', dataSource: 'main', collection: 'people', input, rows },
    user,
  );

async function end(key: string, user = 1): Promise<BatchView> {
  await until(async () => (await call('see', { key }, user)).state === 'ended');
  return call('see', { key }, user);
}

const sent = () => sandbox.messages.map(({ to }) => to).sort();

/** Starts a batch whose first messages wait at a gate. */
async function begin() {
  // The gate lets requests for the service's time through.
  const gate = await gateTo(sandbox.url, (path) => path.includes('/Messages'));
  open(gate.url);
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
  await others.start(key, '0', {} as never);
}

test('continues after a crash, for any user who presses the button', async () => {
  const { gate, key } = await begin();
  await resumeElsewhere();
  expect(await call('see', { key })).toMatchObject({
    ...{ state: 'interrupted', counts: { done: 0, unknown: 5, 'not-run': 7 } },
  });
  const next = await openPreview(2);
  expect(next).toMatchObject({ state: 'preview', counts: { waiting: 12 } });
  expect(next.pending).toHaveLength(5);
  expect(next.waiting).toHaveLength(7);
  await gate.open();
  await call('start', { key: next.key }, 2);
  const { counts } = await end(next.key, 2);
  // Messages in progress end in the meantime, or are confirmed.
  expect(counts.done + counts['already-done']).toBe(12);
  expect(sent()).toEqual(phones);
});

test('offers no message that a batch in progress sends', async () => {
  const { gate, key } = await begin();
  const asked = await openPreview();
  expect(asked.counts).toMatchObject({ waiting: 0, failed: 12 });
  expect(asked.problems[0]?.message).toContain('A batch that is in progress sends this.');
  expect(await call('start', { key: asked.key })).toMatchObject({ state: 'preview' });
  await gate.open();
  await end(key);
  expect(sent()).toEqual(phones);
});

test('resumes a stopped batch, then starts over', async () => {
  const { gate, key } = await begin();
  await call('stop', { key });
  await gate.open();
  expect((await end(key)).counts).toMatchObject({ done: 5, 'not-run': 7 });
  const next = await openPreview();
  expect(next.counts).toMatchObject({ waiting: 7, 'already-done': 5 });
  await call('start', { key: next.key });
  await end(next.key);
  expect(sent()).toEqual(phones);
  expect((await openPreview()).counts).toMatchObject({ waiting: 12, 'already-done': 0 });
});
