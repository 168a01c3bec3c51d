import type { Account, Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import type { EventWorkflows } from '../../../plugin/nocobase/server/event/event-workflows.ts';
import { Poller } from '../../../plugin/nocobase/server/event/poller.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import type { EventId } from '../../../src/index.ts';

// When the poller of NocoBase looks at its database.

const second = 1_000;
const minute = 60 * second;
let poller: Poller;

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') }));
afterEach(async () => {
  await poller.stop();
  jest.useRealTimers();
});

/** A NocoBase whose accounts were polled last at a moment, and when it looked and polled since, in seconds. */
function start(accounts: { askMinutes: number; polledAgo: number }[], events: EventId[]) {
  const began = Date.now();
  const looked: number[] = [];
  const polled: number[] = [];
  const listeners: Record<string, () => void> = {};
  const rows = accounts.map(({ askMinutes, polledAgo }, index) => ({
    ...{ key: String(index), askMinutes, askedAt: String(began - polledAgo) },
    telephony: () => {
      throw new Error('No service.');
    },
  }));
  const since = () => (Date.now() - began) / second;
  const app = {
    db: {
      on: (event: string, listener: () => void) => {
        listeners[event] = listener;
      },
      getRepository: () => ({
        findOne: async ({ filterByTk }: { filterByTk: string }) => ({
          toJSON: () => ({ ...rows[Number(filterByTk)] }),
        }),
      }),
      getCollection: () => ({
        model: {
          async update(values: { askedAt?: string }, { where }: { where: { key: string } }) {
            if (values.askedAt) polled.push(since());
            Object.assign(rows[Number(where.key)] ?? {}, values);
            return [1];
          },
        },
      }),
    },
    logger: { error: () => {}, warn: () => {} },
  };
  const all = async () => {
    looked.push(since());
    return rows as unknown as Account[];
  };
  const heardOf = async () => events;
  poller = new Poller(
    app as unknown as Application,
    { all } as unknown as Accounts,
    { heardOf } as unknown as EventWorkflows,
  );
  poller.start();
  return { looked, polled, change: (event: string) => listeners[event]?.() };
}

test.each([
  ['no accounts', [], [3, 63, 123, 183]],
  ['an account that is not polled', [{ askMinutes: 0, polledAgo: 0 }], [3, 63, 123, 183]],
  ['an account that is due in an hour', [{ askMinutes: 60, polledAgo: 0 }], [3, 63, 123, 183]],
])('looks at the database once a minute with %s', async (_, accounts, times) => {
  const { looked, polled } = start(accounts, ['sms-received']);
  await jest.advanceTimersByTimeAsync(4 * minute - second);
  expect([looked, polled]).toEqual([times, []]);
});

test('polls each account when it is due', async () => {
  const accounts = [
    { askMinutes: 1, polledAgo: 40 * second },
    { askMinutes: 0.25, polledAgo: 10 * second },
  ];
  const { looked, polled } = start(accounts, ['sms-received']);
  await jest.advanceTimersByTimeAsync(40 * second);
  expect([looked, polled]).toEqual([
    [3, 5, 20, 35],
    [5, 20, 20, 35],
  ]);
});

test.each(['telephonyAccounts.afterSave', 'workflows.afterSave', 'workflows.afterDestroy'])(
  'looks at the database 3 seconds after %s',
  async (event) => {
    const { looked, change } = start([], []);
    await jest.advanceTimersByTimeAsync(10 * second);
    change(event);
    await jest.advanceTimersByTimeAsync(second);
    change(event);
    await jest.advanceTimersByTimeAsync(10 * second);
    expect(looked).toEqual([3, 13]);
  },
);
