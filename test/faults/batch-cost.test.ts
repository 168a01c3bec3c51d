import {
  type Action,
  Batches,
  connect,
  definitions,
  type LogStore,
  memoryStore,
  planRow,
  type RowItem,
} from '../../src/builder.ts';
import { until } from '../support/until.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

const itemsOf = (count: number, body = 'Hello') =>
  Array.from({ length: count }, (_, index) => {
    const to = `+1202555${String(index).padStart(4, '0')}`;
    return planRow(action, {
      ...{ row: ['People', index], name: `P${index}`, filled: ['to'] },
      input: () => ({ from: '+14155550100', to, body }),
    });
  });

/** An account that answers each SMS at once, as long as it may. */
function fastAccount(mayAnswer: (sent: number) => unknown = () => {}) {
  let count = 0;
  return connect({
    ...{ username: `AC${'1'.repeat(32)}`, password: 'not-a-real-token' },
    async http() {
      count += 1;
      await mayAnswer(count);
      const body = JSON.stringify({ sid: `SM${count}` });
      return {
        status: 201,
        headers: { date: new Date().toUTCString() },
        body: (async function* () {
          yield Buffer.from(body);
        })(),
      };
    },
  });
}

const press = { owner: 'Ada', actionId: action.id, button: 'B', context: undefined };

/** Runs a batch to its end. */
async function run(store: LogStore, items: RowItem[]) {
  const batches = new Batches<undefined>(store);
  const telephony = fastAccount();
  const { key } = await batches.openPreview(press, { items });
  await batches.start(key, 'Ada', { action, open: async () => telephony, report: () => {} });
  await until(async () => (await batches.find(key, 'Ada'))?.state === 'ended');
  return batches.find(key, 'Ada');
}

/** A store that counts the bytes of the values that are read and written. */
function counted() {
  const store = memoryStore(Number.POSITIVE_INFINITY);
  const bytes = { read: 0, written: 0 };
  const sizeOf = (value: unknown) => JSON.stringify(value ?? null).length;
  const counting: LogStore = {
    ...store,
    async get(kind, key) {
      const entry = await store.get(kind, key);
      bytes.read += sizeOf(entry);
      return entry;
    },
    async find(kind, index) {
      const entries = await store.find(kind, index);
      bytes.read += sizeOf(entries);
      return entries;
    },
    insert(kind, entry) {
      bytes.written += sizeOf(entry);
      return store.insert(kind, entry);
    },
    swap(kind, entry, value) {
      bytes.written += sizeOf({ ...entry, value });
      return store.swap(kind, entry, value);
    },
  };
  return { store: counting, bytes };
}

/** Runs a batch, and returns the bytes that it writes for each byte of its rows. */
async function bytesPerByte(count: number) {
  const { store, bytes } = counted();
  const items = itemsOf(count);
  const batch = await run(store, items);
  expect(batch?.items.map(({ outcome }) => outcome)).toEqual(Array(count).fill('done'));
  return bytes.written / JSON.stringify(items).length;
}

afterEach(() => jest.restoreAllMocks());

test('what a batch writes grows with its rows', async () => {
  const [few, many] = [await bytesPerByte(100), await bytesPerByte(1_000)];
  expect(many).toBeLessThan(10);
  expect(many / few).toBeLessThan(1.2);
});

const day = 86_400_000;

test('a preview reads an earlier batch only if it may have sent to one of its rows', async () => {
  const { store, bytes } = counted();
  await run(store, itemsOf(1_000));
  const now = Date.now() + 2 * day;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  const batches = new Batches<undefined>(store);
  async function read(items: RowItem[]) {
    bytes.read = 0;
    const left = await batches.remaining(press, { items });
    return { outcomes: left.map(({ outcome }) => outcome), bytes: bytes.read };
  }
  const other = await read(itemsOf(5, 'Good bye'));
  const same = await read([...itemsOf(4, 'Good bye'), ...itemsOf(1_000).slice(-1)]);
  expect(other.outcomes).toEqual(Array(5).fill('waiting'));
  expect(same.outcomes).toEqual([...Array(4).fill('waiting'), 'already-done']);
  expect(other.bytes).toBeLessThan(same.bytes / 10);
});

test.each([100, 2_000])(
  'another process that looks at a batch of %d rows again and again reads only what is new',
  async (count) => {
    const { store, bytes } = counted();
    const [own, other] = [new Batches<undefined>(store), new Batches<undefined>(store)];
    const { key } = await own.openPreview(press, { items: itemsOf(count) });
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const telephony = fastAccount((sent) => sent > 20 && isOpen);
    await own.start(key, 'Ada', { action, open: async () => telephony, report: () => {} });
    const done = async () => {
      const { items = [] } = (await other.find(key, 'Ada')) ?? {};
      return items.filter(({ outcome }) => outcome === 'done').length;
    };
    await until(async () => (await done()) >= 19);
    const before = await other.find(key, 'Ada');
    const outcomes = before?.items.map(({ outcome }) => outcome);
    bytes.read = 0;
    await done();
    expect(bytes.read).toBeLessThan(2_000);
    open();
    await until(async () => (await other.find(key, 'Ada'))?.state === 'ended');
    expect(await done()).toBe(count);
    expect(before?.items.map(({ outcome }) => outcome)).toEqual(outcomes);
  },
);
