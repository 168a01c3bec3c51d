import {
  type Action,
  Batches,
  connect,
  definitions,
  type LogStore,
  memoryStore,
  planRow,
} from '../../src/builder.ts';
import { until } from '../support/until.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const to = `+1202555${String(index).padStart(4, '0')}`;
    return planRow(action, {
      ...{ row: ['People', index], name: `P${index}`, filled: ['to'] },
      input: () => ({ from: '+14155550100', to, body: 'Hello' }),
    });
  });

/** An account that answers each SMS at once. */
function fastAccount() {
  let count = 0;
  return connect({
    ...{ username: `AC${'1'.repeat(32)}`, password: 'not-a-real-token' },
    async http() {
      count += 1;
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

/** Counts the bytes that are written to a store. */
function counted() {
  const store = memoryStore(Number.POSITIVE_INFINITY);
  let bytes = 0;
  const counting: LogStore = {
    ...store,
    insert(kind, entry) {
      bytes += JSON.stringify(entry).length;
      return store.insert(kind, entry);
    },
    swap(kind, entry, value) {
      bytes += JSON.stringify({ ...entry, value }).length;
      return store.swap(kind, entry, value);
    },
  };
  return { store: counting, bytes: () => bytes };
}

/** Runs a batch, and returns the bytes that its run writes for each byte of its rows. */
async function bytesPerByte(count: number) {
  const { store, bytes } = counted();
  const batches = new Batches<undefined>(store);
  const press = { owner: 'Ada', actionId: action.id, button: 'B', context: undefined };
  const items = itemsOf(count);
  const { key } = await batches.openPreview(press, { items });
  const before = bytes();
  const telephony = fastAccount();
  await batches.start(key, 'Ada', { action, open: async () => telephony, report: () => {} });
  await until(async () => (await batches.find(key, 'Ada'))?.state === 'ended');
  expect((await batches.find(key, 'Ada'))?.items.map(({ outcome }) => outcome)).toEqual(
    Array(count).fill('done'),
  );
  return (bytes() - before) / JSON.stringify(items).length;
}

test('what a batch writes grows with its rows', async () => {
  const [few, many] = [await bytesPerByte(100), await bytesPerByte(1_000)];
  expect(many).toBeLessThan(10);
  expect(many / few).toBeLessThan(1.2);
});
