import { storeTable } from '../../plugin/nocobase/resources.ts';
import type { Account, Accounts } from '../../plugin/nocobase/server/account/account.ts';
import { accountsBatches } from '../../plugin/nocobase/server/bulk/batches.ts';
import { runHandlers } from '../../plugin/nocobase/server/bulk/bulk-run.ts';
import type { Application, Context } from '../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../plugin/nocobase/server/store.ts';
import { type BatchView, connect } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { until } from '../support/until.ts';
import { openDatabase } from './open-database.ts';

/** The names in the table “people”. */
export const names = Array.from(
  { length: 12 },
  (_, index) => `P${String(index + 1).padStart(2, '0')}`,
);
export const phoneOf = (name: string) => `+120255501${name.slice(1)}`;
const people = {
  name: 'people',
  fields: [
    ...['name', 'phone'].map((name) => ({ name, type: 'string' })),
    { name: 'due', type: 'date' },
  ],
};

/** When all of them are due. */
const due = new Date('2026-11-28T09:00:00.000Z');

/** The button that texts each of them. */
export const button = {
  ...{ action: 'send-sms', dataSource: 'main', collection: 'people' },
  input: { to: [{ column: 'phone' }], body: ['Dear ', { column: 'name' }] },
};

/** Opens the handlers of batches over a table of NocoBase's database, without its server and its rights. */
export async function openBatches() {
  const [db, sandbox] = [await openDatabase([storeCollection, people]), await openSandbox()];
  for (const name of names)
    await db.getRepository('people').create({ values: { name, phone: phoneOf(name), due } });
  const rows = await db.getRepository('people').find({ sort: ['id'] });
  const keys = rows.map((row) => Number(row.get('id')));
  const source = {
    // Every role may read everything here.
    acl: {
      middleware: () => (reading: { permission: object }, next: () => Promise<void>) => {
        Object.assign(reading.permission, { can: {} });
        return next();
      },
    },
    collectionManager: { getCollection: (name: string) => db.getCollection(name) },
  };
  const logged: string[] = [];
  const app = {
    ...{ db, dataSourceManager: { get: () => source } },
    logger: { error: (text: string) => logged.push(text) },
  } as unknown as Application;
  /** The account's base URL, and the error of opening it. */
  const place: { baseUrl: string; fault?: Error } = { baseUrl: sandbox.url };
  const account = {
    ...{ key: 'a', settings: {}, defaultSender: '+14155550100' },
    telephony: () => {
      if (place.fault) throw place.fault;
      const { username, password } = sandbox;
      return connect({
        ...{ username, password, baseUrl: place.baseUrl },
        store: nocobaseStore(app),
      });
    },
  } as unknown as Account;
  const accounts = { get: async () => account } as unknown as Accounts;
  const handlers = runHandlers(app, accounts, accountsBatches(app, accounts));

  const inCapitals = (text: string) => text.toUpperCase();

  /** A request of the browser, and the view that it gets. */
  async function call(what: string, values: object, user = 1, role = 'clerk'): Promise<BatchView> {
    const context = {
      ...{ action: { params: { values } }, state: { currentRoles: [role] } },
      ...{ auth: { user: { id: user } }, body: undefined as unknown, t: inCapitals },
    };
    let isOver = false;
    await handlers[what]?.(context as unknown as Context, async () => {
      isOver = true;
    });
    expect(isOver).toBe(true);
    return context.body as BatchView;
  }

  /** The CSV file of a batch, in a language of capitals. */
  async function csv({ key }: Pick<BatchView, 'key'>, user = 1): Promise<string> {
    const failures: unknown[] = [];
    const { url } = await serveHttp(async (req, res) => {
      const context = {
        ...{ action: { params: { values: { key } } }, auth: { user: { id: user } }, req, res },
        t: inCapitals,
      };
      const sending = handlers.csv?.(context as unknown as Context, async () => {});
      await sending?.catch((error) => {
        failures.push(error);
        res.destroy();
      });
    });
    const text = await fetch(url).then(
      (response) => response.text(),
      () => '',
    );
    if (failures.length > 0) throw failures[0];
    return text;
  }

  /** Waits until a batch has ended. */
  async function end({ key }: Pick<BatchView, 'key'>, user = 1): Promise<BatchView> {
    let view = await call('see', { key }, user);
    await until(async () => {
      view = await call('see', { key }, user);
      return view.state === 'ended';
    });
    return view;
  }

  /** Forgets all batches and messages. */
  async function reset() {
    Object.assign(account, { roles: { 'send-sms': ['clerk'] }, buttonRoles: {} });
    place.baseUrl = sandbox.url;
    delete place.fault;
    logged.length = 0;
    sandbox.messages.length = 0;
    await db.getCollection(storeTable).model.destroy({ where: {} });
  }

  return { app, sandbox, account, place, keys, logged, call, csv, end, reset };
}
