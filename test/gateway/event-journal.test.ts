import { EventJournal } from '../../plugin/gateway/event-journal.ts';
import { memoryStore, type TelephonyEvent } from '../../src/builder.ts';

const dayMs = 24 * 3_600_000;
const event = (sid: string) =>
  [
    { id: 'sms-received', record: { sid }, parameters: {} } as unknown as TelephonyEvent,
    { identity: { key: sid, signature: sid, subject: sid, step: 0, lateFrom: 0 } },
  ] as const;

test('goes on after 30 idle days, in old and new processes', async () => {
  let now = Date.UTC(2026, 0, 1);
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const store = memoryStore();
  const idle = new EventJournal(store);
  for (const sid of ['1', '2']) await idle.add(...event(sid));
  const before = await idle.read('start', 1, () => true);
  now += 31 * dayMs;
  await idle.expire();
  const begun = new EventJournal(store);
  expect(await begun.read('start', 9, () => true)).toMatchObject({ events: [], more: false });
  await begun.add(...event('3'));
  await idle.add(...event('4'));
  for (const journal of [idle, begun]) {
    const { events } = await journal.read('start', 9, () => true);
    expect(events.map(({ record }) => Reflect.get(record, 'sid'))).toEqual(['3', '4']);
  }
  await expect(begun.read(before.cursor, 9, () => true)).rejects.toMatchObject({
    code: 'not-found',
  });
});

test('an event that arrives while the next ones are read is not taken for expired', async () => {
  const store = memoryStore();
  const journal = new EventJournal(store);
  await journal.add(...event('1'));
  const { get } = store;
  let isAdded = false;
  store.get = async (kind, key) => {
    const found = await get.call(store, kind, key);
    // The journal has looked for the second event, which wasn't there.
    if (kind === 'journal' && key === '2' && !isAdded) {
      isAdded = true;
      await journal.add(...event('2'));
    }
    return found;
  };
  expect(await journal.read('1', 9, () => true)).toMatchObject({ events: [], cursor: '1' });
  expect((await journal.read('1', 9, () => true)).events).toHaveLength(1);
});

test('events that arrive at the same moment are all read, in two processes', async () => {
  const store = memoryStore();
  const journals = [new EventJournal(store), new EventJournal(store)];
  const sids = Array.from({ length: 20 }, (_, index) => String(index));
  await Promise.all(sids.map((sid, index) => journals[index % 2]?.add(...event(sid))));
  const { events } = await new EventJournal(store).read('start', 99, () => true);
  expect(events.map(({ cursor }) => cursor)).toEqual(sids.map((_, index) => String(index + 1)));
  expect(new Set(events.map(({ record }) => Reflect.get(record, 'sid')))).toEqual(new Set(sids));
});

test('events that arrive at the same moment cost no more each than one alone', async () => {
  const store = memoryStore();
  const insert = jest.spyOn(store, 'insert');
  const journal = new EventJournal(store);
  const sids = Array.from({ length: 100 }, (_, index) => String(index));
  await Promise.all(sids.map((sid) => journal.add(...event(sid))));
  const { events } = await journal.read('start', 999, () => true);
  expect(events.map(({ record }) => Reflect.get(record, 'sid'))).toEqual(sids);
  // One for each, and one for the head.
  expect(insert.mock.calls.length).toBeLessThanOrEqual(sids.length + 5);
});

test('a cursor of events that a restored database does not have is an error', async () => {
  const journal = new EventJournal(memoryStore());
  await journal.add(...event('1'));
  const { cursor } = await journal.read('now', 1, () => true);
  await expect(journal.read(cursor, 1, () => true)).resolves.toMatchObject({ events: [] });
  await expect(journal.read('2', 1, () => true)).rejects.toMatchObject({
    ...{ code: 'not-found', field: 'cursor' },
  });
});
