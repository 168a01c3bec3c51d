import type { DeliveryLog, EventIdentity } from '../../src/builder.ts';

/** A note of an event of a message. */
export const noteOf = (
  sid: string,
  step: number,
  { signature = `signature of ${sid} ${step}` } = {},
): EventIdentity => ({
  key: `message-status/${sid}/${step}`,
  subject: `message-status/${sid}`,
  ...{ step, signature, lateFrom: Math.max(step, 0) },
});

/** What every memory keeps, also one that an adapter keeps in a table. */
export function remembersEvents(open: () => DeliveryLog | Promise<DeliveryLog>) {
  let memory: DeliveryLog;
  beforeEach(async () => {
    memory = await open();
  });
  const tell = async (note: EventIdentity) => {
    const known = await memory.begin(note);
    if (known === 'new') await memory.delivered(note);
    return known;
  };

  test('recognises a delivered event', async () => {
    expect(await memory.begin(noteOf('SM1', 1))).toBe('new');
    expect(await memory.begin(noteOf('SM1', 1))).toBe('in-progress');
    await memory.delivered(noteOf('SM1', 1));
    expect(await memory.begin(noteOf('SM1', 1))).toBe('delivered');
    expect(await memory.begin(noteOf('SM2', 1))).toBe('new');
  });

  test('calls an event new for only one of many at the same time', async () => {
    const asked = Array.from({ length: 20 }, async () => memory.begin(noteOf('SM1', 1)));
    const known = await Promise.all(asked);
    expect(known.filter((one) => one === 'new')).toEqual(['new']);
    expect(known.filter((one) => one === 'in-progress')).toHaveLength(19);
  });

  test('treats a forgotten event as new, and nothing as late because of it', async () => {
    await memory.begin(noteOf('SM1', 6));
    await memory.release(noteOf('SM1', 6));
    expect(await tell(noteOf('SM1', 4))).toBe('new');
    expect(await tell(noteOf('SM1', 6))).toBe('new');
  });

  test('calls an event late after a later or another equal step', async () => {
    await tell(noteOf('SM1', 4));
    await tell(noteOf('SM1', 6));
    expect(await memory.begin(noteOf('SM1', 2))).toBe('stale');
    expect(await memory.begin(noteOf('SM1', 4))).toBe('delivered');
    expect(await memory.begin({ ...noteOf('SM1', 6), key: 'other', signature: 'other' })).toBe(
      'stale',
    );
    expect(await memory.begin(noteOf('SM2', 2))).toBe('new');
    expect(await memory.begin(noteOf('SM1', 7))).toBe('new');
  });

  test('calls an event late each time, also during the delivery of a later one', async () => {
    await memory.begin(noteOf('SM1', 6));
    expect([await memory.begin(noteOf('SM1', 4)), await memory.begin(noteOf('SM1', 4))]).toEqual([
      'stale',
      'stale',
    ]);
  });

  test('places an unknown step before all known steps, and next to other unknown ones', async () => {
    const unknown = (name: string) => ({ ...noteOf('SM1', -1), key: name, signature: name });
    expect(await tell(unknown('a'))).toBe('new');
    expect(await tell(unknown('b'))).toBe('new');
    expect(await tell(noteOf('SM1', 0))).toBe('new');
    expect(await tell(unknown('c'))).toBe('stale');
    expect(await tell(unknown('a'))).toBe('delivered');
  });

  test('accepts a signature for one event only', async () => {
    await tell(noteOf('SM1', 1));
    const made = { ...noteOf('SM2', 1), signature: noteOf('SM1', 1).signature };
    expect(await memory.begin(made)).toBe('delivered');
    expect(await memory.begin(noteOf('SM2', 1))).toBe('new');
  });

  test('ignores forgetting or delivering an unknown event', async () => {
    await memory.release(noteOf('SM1', 1));
    await memory.delivered(noteOf('SM1', 1));
    expect(await memory.begin(noteOf('SM1', 1))).toBe('new');
  });
}
