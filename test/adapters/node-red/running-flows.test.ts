import { flowsRun, followFlows } from '../../../plugin/node-red/event/running-flows.ts';
import type { NodeRed } from '../../../plugin/node-red/node-red.ts';

test('keeps no listener of requests that stopped waiting for flows', async () => {
  jest.useFakeTimers();
  const listeners: (() => void)[] = [];
  // The only part of Node-RED that it uses.
  const on = (_: string, listener: () => void) => void listeners.push(listener);
  followFlows({ events: { on } } as unknown as NodeRed);
  const added = jest.spyOn(Set.prototype, 'add');
  const deleted = jest.spyOn(Set.prototype, 'delete');
  const waiting = Array.from({ length: 100 }, flowsRun);
  jest.advanceTimersByTime(4_000);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => false));
  expect([added.mock.calls.length, deleted.mock.calls.length]).toEqual([100, 100]);
  const last = flowsRun();
  for (const listener of listeners) listener();
  expect(await last).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});
