import { deliveryLog, memoryStore, type Store } from '../../src/builder.ts';
import { killedAt, unsteady } from '../stores/faulty.ts';
import { eventIdentity } from './keeps-deliveries.ts';

const steps = Array.from({ length: 10 }, (_, index) => index + 1);
describe.each([true, false])('with a kill after a call of the store took effect: %s', (isDone) => {
  test.each(steps)(
    'at step %d, an event is delivered again only if it was not recorded',
    async (step) => {
      const disk = memoryStore();
      const delivered: number[] = [];
      async function deliver(process: number, store: Store) {
        const log = deliveryLog(store, { isAlone: () => true });
        if ((await log.begin(eventIdentity('SM1', 4))) !== 'new') return;
        delivered.push(process);
        await log.delivered(eventIdentity('SM1', 4));
      }
      const killed = new Promise<void>((resolve) => {
        const store = killedAt(disk, step, isDone, resolve);
        deliver(1, store).then(resolve);
      });
      await killed;
      const [stored] = disk.entries().filter(([kind]) => kind.startsWith('deliveries'));
      const wasRecorded = stored !== undefined && !JSON.stringify(stored).includes('"by"');
      await deliver(2, disk);
      await deliver(3, disk);
      expect(delivered).toEqual([
        ...delivered.filter((one) => one === 1),
        ...(wasRecorded ? [] : [2]),
      ]);
      if (wasRecorded) expect(delivered).toEqual([1]);
    },
  );
});

test('another process gets the event until the delivery is recorded, then only the next step', async () => {
  const disk = memoryStore();
  const [one, other] = [deliveryLog(disk), deliveryLog(disk)];
  expect(await one.begin(eventIdentity('SM1', 4))).toBe('new');
  expect(await other.begin(eventIdentity('SM1', 4))).toBe('in-progress');
  const order: string[] = [];
  const next = other.begin(eventIdentity('SM1', 6)).then((known) => order.push(known));
  // By then, it has read that another process delivers an earlier step.
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  order.push('recorded');
  await one.delivered(eventIdentity('SM1', 4));
  await next;
  expect(order).toEqual(['recorded', 'new']);
  expect(await one.begin(eventIdentity('SM1', 4))).toBe('delivered');
});

test('a delivery that could not be recorded is recorded with the next event of the record', async () => {
  const disk = memoryStore();
  const { state, store } = unsteady(disk);
  const log = deliveryLog(store);
  await log.begin(eventIdentity('SM1', 4));
  state.isAway = true;
  await expect(log.delivered(eventIdentity('SM1', 4))).rejects.toThrow('away');
  await expect(log.begin(eventIdentity('SM1', 4))).rejects.toThrow('away');
  state.isAway = false;
  expect(await log.begin(eventIdentity('SM1', 6))).toBe('new');
  expect(await log.begin(eventIdentity('SM1', 4))).toBe('delivered');
  expect(await deliveryLog(disk, { isAlone: () => true }).begin(eventIdentity('SM1', 4))).toBe(
    'delivered',
  );
});

test('an event that could not be recorded or released is new again', async () => {
  for (const failing of ['begin', 'release'] as const) {
    const { state, store } = unsteady(memoryStore());
    const log = deliveryLog(store);
    if (failing === 'release') await log.begin(eventIdentity('SM1', 4));
    state.isAway = true;
    await expect(log[failing](eventIdentity('SM1', 4))).rejects.toThrow('away');
    state.isAway = false;
    expect(await log.begin(eventIdentity('SM1', 4))).toBe('new');
  }
});

test('a delivery of another process is abandoned after 15 seconds, even if the clock was set back', async () => {
  const now = jest.spyOn(Date, 'now');
  for (const moved of [15_001, -15_001]) {
    const disk = memoryStore();
    now.mockReturnValue(1_000_000);
    await deliveryLog(disk).begin(eventIdentity('SM1', 4));
    now.mockReturnValue(1_000_000 + Math.sign(moved) * 15_000);
    expect(await deliveryLog(disk).begin(eventIdentity('SM1', 4))).toBe('in-progress');
    now.mockReturnValue(1_000_000 + moved);
    expect(await deliveryLog(disk).begin(eventIdentity('SM1', 4))).toBe('new');
  }
  now.mockRestore();
});

test('an event is late after a later one that a crashed process may have delivered', async () => {
  const disk = memoryStore();
  const crashed = deliveryLog(disk);
  const other = { ...eventIdentity('SM1', 6), key: 'other', signature: 'other' };
  for (const one of [eventIdentity('SM1', 4), eventIdentity('SM1', 6)]) await crashed.begin(one);
  const log = deliveryLog(disk, { isAlone: () => true });
  expect(await log.begin(eventIdentity('SM1', 4))).toBe('stale');
  // Of two events of the same step, the first to arrive again is delivered.
  expect(await log.begin(other)).toBe('new');
  expect(await log.begin(eventIdentity('SM1', 6))).toBe('stale');
  await log.release(other);
  // That the repeated delivery fails says nothing about the first one.
  for (let attempts = 0; attempts < 2; attempts += 1) {
    expect(await log.begin(eventIdentity('SM1', 5))).toBe('stale');
    expect(await log.begin(eventIdentity('SM1', 6))).toBe('new');
    await log.release(eventIdentity('SM1', 6));
  }
  const { signature } = eventIdentity('SM1', 6);
  expect(await log.begin({ ...eventIdentity('SM2', 4), signature })).toBe('delivered');
  expect(await log.begin(eventIdentity('SM1', 6))).toBe('new');
  await log.delivered(eventIdentity('SM1', 6));
  expect(await log.begin(eventIdentity('SM1', 6))).toBe('delivered');
});

test('an event does not wait for an abandoned delivery after the clock was set back', async () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const disk = memoryStore();
  await deliveryLog(disk).begin(eventIdentity('SM1', 4));
  now.mockReturnValue(2_000_000);
  const log = deliveryLog(disk);
  expect(await log.begin(eventIdentity('SM1', 6))).toBe('new');
  await log.delivered(eventIdentity('SM1', 6));
  now.mockReturnValue(1_000_000);
  expect(await log.begin(eventIdentity('SM1', 7))).toBe('new');
  now.mockRestore();
});

test('two events with one signature at the same time are never both new', async () => {
  const disk = memoryStore();
  const notes = [
    eventIdentity('SM1', 4),
    { ...eventIdentity('SM2', 4), signature: eventIdentity('SM1', 4).signature },
  ];
  const known = await Promise.all(notes.map((note) => deliveryLog(disk).begin(note)));
  expect(known.filter((one) => one === 'new').length).toBeLessThanOrEqual(1);
});
