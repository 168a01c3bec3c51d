import type { Account, Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import type { EventWorkflows } from '../../../plugin/nocobase/server/event/event-workflows.ts';
import { accountsPoller } from '../../../plugin/nocobase/server/event/poller.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';

const second = 1_000;
let poller: ReturnType<typeof accountsPoller>;

beforeEach(() => jest.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') }));
afterEach(async () => {
  await poller.stop();
  jest.useRealTimers();
});

/** A NocoBase app, and the times at which it read its accounts, in seconds. */
function start() {
  const began = Date.now();
  const looked: number[] = [];
  const listeners: Record<string, () => void> = {};
  const on = (event: string, listener: () => void) => {
    listeners[event] = listener;
  };
  const app = { db: { on }, logger: { error: () => {}, warn: () => {} } };
  const all = async (): Promise<Account[]> => {
    looked.push((Date.now() - began) / second);
    return [];
  };
  poller = accountsPoller(
    app as unknown as Application,
    { all } as unknown as Accounts,
    {} as unknown as EventWorkflows,
  );
  poller.start();
  return { looked, change: (event: string) => listeners[event]?.() };
}

test.each(['telephonyAccounts.afterSave', 'workflows.afterSave', 'workflows.afterDestroy'])(
  'reads its accounts once a minute, and 3 seconds after %s',
  async (event) => {
    const { looked, change } = start();
    await jest.advanceTimersByTimeAsync(10 * second);
    change(event);
    await jest.advanceTimersByTimeAsync(second);
    change(event);
    await jest.advanceTimersByTimeAsync(70 * second);
    expect(looked).toEqual([3, 13, 73]);
  },
);
