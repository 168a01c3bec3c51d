import type { DeliveryLog, EventIdentity } from '../../src/builder.ts';

/** The identity of an event of a message. */
export const eventIdentity = (
  sid: string,
  step: number,
  { signature = `signature of ${sid} ${step}` } = {},
): EventIdentity => ({
  key: `message-status/${sid}/${step}`,
  subject: `message-status/${sid}`,
  ...{ step, signature, lateFrom: Math.max(step, 0) },
});

/** The tests of every delivery log, also of those that adapters keep in a table. */
export function keepsDeliveries(open: () => DeliveryLog | Promise<DeliveryLog>) {
  let log: DeliveryLog;
  beforeEach(async () => {
    log = await open();
  });
  const deliver = async (note: EventIdentity) => {
    const known = await log.begin(note);
    if (known === 'new') await log.delivered(note);
    return known;
  };

  test('recognises a delivered event', async () => {
    expect(await log.begin(eventIdentity('SM1', 1))).toBe('new');
    expect(await log.begin(eventIdentity('SM1', 1))).toBe('in-progress');
    await log.delivered(eventIdentity('SM1', 1));
    expect(await log.begin(eventIdentity('SM1', 1))).toBe('delivered');
    expect(await log.begin(eventIdentity('SM2', 1))).toBe('new');
  });

  test('calls an event new for only one of many at the same time', async () => {
    const attempts = Array.from({ length: 20 }, async () => log.begin(eventIdentity('SM1', 1)));
    const known = await Promise.all(attempts);
    expect(known.filter((one) => one === 'new')).toEqual(['new']);
    expect(known.filter((one) => one === 'in-progress')).toHaveLength(19);
  });

  test('treats a released event as new, and no other as late because of it', async () => {
    await log.begin(eventIdentity('SM1', 6));
    await log.release(eventIdentity('SM1', 6));
    expect(await deliver(eventIdentity('SM1', 4))).toBe('new');
    expect(await deliver(eventIdentity('SM1', 6))).toBe('new');
  });

  test('calls an event late after a later or another equal step', async () => {
    await deliver(eventIdentity('SM1', 4));
    await deliver(eventIdentity('SM1', 6));
    expect(await log.begin(eventIdentity('SM1', 2))).toBe('stale');
    expect(await log.begin(eventIdentity('SM1', 4))).toBe('delivered');
    expect(await log.begin({ ...eventIdentity('SM1', 6), key: 'other', signature: 'other' })).toBe(
      'stale',
    );
    expect(await log.begin(eventIdentity('SM2', 2))).toBe('new');
    expect(await log.begin(eventIdentity('SM1', 7))).toBe('new');
  });

  test('calls an event late each time, also during the delivery of a later one', async () => {
    await log.begin(eventIdentity('SM1', 6));
    expect([
      await log.begin(eventIdentity('SM1', 4)),
      await log.begin(eventIdentity('SM1', 4)),
    ]).toEqual(['stale', 'stale']);
  });

  test('places an unknown step before all known steps, and next to other unknown ones', async () => {
    const unknown = (name: string) => ({ ...eventIdentity('SM1', -1), key: name, signature: name });
    expect(await deliver(unknown('a'))).toBe('new');
    expect(await deliver(unknown('b'))).toBe('new');
    expect(await deliver(eventIdentity('SM1', 0))).toBe('new');
    expect(await deliver(unknown('c'))).toBe('stale');
    expect(await deliver(unknown('a'))).toBe('delivered');
  });

  test('accepts a signature for one event only', async () => {
    await deliver(eventIdentity('SM1', 1));
    const replayed = { ...eventIdentity('SM2', 1), signature: eventIdentity('SM1', 1).signature };
    expect(await log.begin(replayed)).toBe('delivered');
    expect(await log.begin(eventIdentity('SM2', 1))).toBe('new');
  });

  test('ignores the release or delivery of an unknown event', async () => {
    await log.release(eventIdentity('SM1', 1));
    await log.delivered(eventIdentity('SM1', 1));
    expect(await log.begin(eventIdentity('SM1', 1))).toBe('new');
  });
}
