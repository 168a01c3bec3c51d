import { EventEmitter } from 'node:events';
import type { Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { collections } from '../../../plugin/nocobase/server/data-source/collections.ts';
import type { ListRights } from '../../../plugin/nocobase/server/data-source/list-rights.ts';
import { TelephonyRepository } from '../../../plugin/nocobase/server/data-source/repository.ts';
import type { Tickets } from '../../../plugin/nocobase/server/media/tickets.ts';
import type { Context } from '../../../plugin/nocobase/server/nocobase.ts';
import { connect } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';

jest.mock('@nocobase/utils', () => ({ parseDate: (value: unknown) => value }), { virtual: true });

// The records that rows refer to. Tests in NocoBase's server cover its own rights.

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});

beforeEach(() => {
  sandbox.reset();
  takeRequests(sandbox);
});

interface Reading {
  action: { resourceName: string; params: object };
  permission: object;
}

/**
 * The repository of a data source's collection.
 *
 * @param rights what the user may read of the calls; null if nothing
 */
function open(id: string, rights: ListRights | null = {}) {
  const { username, password, url: baseUrl } = sandbox;
  const telephony = connect({ username, password, baseUrl });
  const account = { telephony: () => telephony, settings: {} };
  const owner = {
    ...{ key: 'telephony', tickets: { issue: () => 'ticket' } as unknown as Tickets },
    accounts: { get: async () => account } as unknown as Accounts,
  };
  const asked: string[] = [];
  const acl = {
    middleware:
      () =>
      async ({ action, permission }: Reading) => {
        asked.push(action.resourceName);
        if (!rights) throw Object.assign(new Error('No permissions'), { status: 403 });
        Object.assign(action.params, rights);
        Object.assign(permission, { can: {} });
      },
  };
  const made = new Map<string, { name: string; repository?: TelephonyRepository }>();
  const dataSource = {
    ...{ acl, collectionManager: { getCollection: (name: string) => made.get(name) } },
  };
  for (const { source, options } of collections) {
    const collection = { name: options.name, collectionManager: { dataSource } };
    const repository = new TelephonyRepository(collection, source, owner);
    made.set(options.name, Object.assign(collection, { repository }));
  }
  const repository = made.get(id)?.repository;
  if (!repository) throw new Error(`There is no ${id}.`);
  return { repository, asked };
}

const context = {
  ...{ res: new EventEmitter(), auth: { user: { id: 1 } }, query: {} },
  state: { currentRoles: ['member'] },
} as unknown as Context;

const list = { limit: 21, appends: ['call'], context };
const callOf = (sid: unknown) => sandbox.calls.find((call) => call.sid === sid);

test('a list of recordings has their calls, by one request more', async () => {
  const { repository, asked } = open('recordings_by_date');
  const rows = (await repository.find(list)).slice(0, 20);
  const from = rows.map(({ call }) => Object(call).from);
  expect(from).toEqual(rows.map(({ callSid }) => callOf(callSid)?.from));
  expect(asked).toEqual(['calls_by_caller_id']);
  expect(takeRequests(sandbox)).toEqual([
    'GET /Recordings.json?PageSize=20',
    'GET /Calls.json?PageSize=1000',
  ]);
});

test('a recording that is read by itself has its call', async () => {
  const { repository } = open('recordings_by_date');
  const [{ sid, callSid } = {}] = await repository.find({ limit: 2, context });
  const row = await repository.findOne({ filterByTk: sid, appends: 'call.from', context });
  expect(row).toMatchObject({ sid, call: { sid: callSid, from: callOf(callSid)?.from } });
});

test('without being requested, no call is read', async () => {
  const { repository, asked } = open('recordings_by_date');
  const [row] = await repository.find({ limit: 2, context });
  expect(row).not.toHaveProperty('call');
  expect(asked).toEqual([]);
  expect(takeRequests(sandbox)).toEqual(['GET /Recordings.json?PageSize=1']);
});

test('a user who may not read calls sees recordings without them', async () => {
  const { repository } = open('recordings_by_date', null);
  const rows = (await repository.find(list)).slice(0, 20);
  expect(rows.map(({ call }) => call)).toEqual(Array(20).fill(null));
  expect(takeRequests(sandbox)).toEqual(['GET /Recordings.json?PageSize=20']);
});

test('a user sees only the calls and columns that they may read', async () => {
  const [first] = sandbox.recordings;
  const shown = callOf(first?.call_sid);
  const rights = { filter: { from: { $eq: shown?.from } }, fields: ['from'] };
  const { repository } = open('recordings_by_date', rights);
  const rows = (await repository.find(list)).slice(0, 20);
  expect(rows.map(({ call }) => call)).toEqual(
    rows.map(({ callSid }) => {
      const { sid, from } = callOf(callSid) ?? {};
      return from === shown?.from ? { sid, from } : null;
    }),
  );
});

test('a call that the service no longer has is missing, and the list is shown', async () => {
  const [first, second] = sandbox.recordings;
  sandbox.calls.splice(
    0,
    sandbox.calls.length,
    ...sandbox.calls.filter(({ sid }) => sid !== first?.call_sid),
  );
  const { repository } = open('recordings_by_date');
  const rows = await repository.find({ ...list, limit: 3 });
  expect(rows.slice(0, 2)).toMatchObject([
    { sid: first?.sid, call: null },
    { sid: second?.sid, call: { sid: second?.call_sid } },
  ]);
});

test('an outage of the calls is an error, not a list without them', async () => {
  const { repository } = open('recordings_by_date');
  sandbox.faults.add({ name: 'html', path: 'Calls', times: 20 });
  await expect(repository.find(list)).rejects.toMatchObject({ code: 'unavailable' });
  sandbox.faults.clear();
});
