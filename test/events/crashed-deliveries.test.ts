import { setImmediate as turn } from 'node:timers/promises';
import { seededRandom } from '../../demo/sandbox/random.ts';
import { deliveryLog, type EventIdentity, memoryStore, type Store } from '../../src/builder.ts';
import { eventIdentity } from './keeps-deliveries.ts';

/** The last one is the record's final event. */
const events = [-1, 1, 3, 5, 6].map((step) => eventIdentity('SM1', step));
const [final] = events.slice(-1);

/** A process that ends at one of its calls to the store, before or after it takes effect. */
function crashing(store: Store, randomBelow: (limit: number) => number) {
  const calls = randomBelow(3) === 0 ? Number.POSITIVE_INFINITY : randomBelow(25);
  const takesEffect = randomBelow(2) === 0;
  const never = new Promise<never>(() => {});
  let crash = () => {};
  const crashed = new Promise<'crashed'>((resolve) => {
    crash = () => resolve('crashed');
  });
  let count = 0;
  const wrapped =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      await turn();
      count += 1;
      if (count < calls) return call(...given);
      if (count === calls && takesEffect) await call(...given);
      crash();
      return never;
    };
  const { get, insert, swap, find, expire } = store;
  const calling: Store = {
    get: wrapped(get),
    insert: wrapped(insert),
    swap: wrapped(swap),
    find: wrapped(find),
    expire: wrapped(expire),
  };
  return { crashed, log: deliveryLog(calling, { isAlone: () => true }) };
}

/** Receives all events in a random order, each until it is accepted, and returns which reached the app. */
async function receiveAll(randomBelow: (limit: number) => number): Promise<string[]> {
  const store = memoryStore();
  let running = crashing(store, randomBelow);
  const delivered: string[] = [];

  async function deliver(log: typeof running.log, event: EventIdentity): Promise<boolean> {
    const state = await log.begin(event);
    if (state !== 'new') return state !== 'in-progress';
    if (randomBelow(3) === 0) {
      await log.release(event);
      return false;
    }
    // As in NocoBase, where a second execution with the same key is refused.
    if (!delivered.includes(event.key)) delivered.push(event.key);
    await log.delivered(event);
    return true;
  }

  const waiting = [...events];
  while (waiting.length > 0) {
    const [event] = waiting.splice(randomBelow(waiting.length), 1);
    if (!event) break;
    const outcome = await Promise.race([deliver(running.log, event), running.crashed]);
    if (outcome === 'crashed') running = crashing(store, randomBelow);
    if (outcome !== true) waiting.push(event);
  }
  return delivered;
}

test('the last event of a record to reach the app is its final one, however often the process ends', async () => {
  const random = seededRandom(4_711);
  const wrong = new Set<string>();
  for (let runs = 0; runs < 1_000; runs += 1) {
    const delivered = await receiveAll((limit) => Math.floor(random() * limit));
    if (delivered.at(-1) !== final?.key) wrong.add(delivered.join(' '));
  }
  expect([...wrong]).toEqual([]);
});
