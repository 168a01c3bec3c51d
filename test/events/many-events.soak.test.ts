import { type ReceiveEvent, receiveEvents, type WebhookResponse } from '../../src/builder.ts';
import { size } from '../support/size.ts';
import { Disk, deliveryLogOnDisk, handleEvent, Process } from './delivery-log-on-disk.ts';
import { eventStream, type StreamedEvent } from './event-stream.ts';
import { keepsDeliveries } from './keeps-deliveries.ts';
import { account, address, signedForm } from './signed.ts';

describe('a delivery log on disk', () => {
  keepsDeliveries(() => deliveryLogOnDisk(new Disk(), new Process(1)));
});

const requests = size(500, 10_000);
/** How many requests arrive between two kills of the app's processes. */
const requestsPerRestart = requests / 25;
const atATime = 25;

const { events, waiting, randomBelow } = eventStream(requests);

interface App {
  process: Process;
  receive: ReceiveEvent;
}

/** Starts the app on its disk. One of fifty events fails in its handler. */
function start(disk: Disk, id: number): App {
  const process = new Process(id);
  const receive = receiveEvents(account, {
    url: address,
    deliveryLog: deliveryLogOnDisk(disk, process),
    async onEvent(event, { identity }) {
      await process.step();
      if (randomBelow(50) === 0) throw new Error('The database is locked.');
      await process.step();
      handleEvent(disk, event, identity);
      await process.step();
    },
  });
  return { process, receive };
}

/** Sends a request. Returns undefined if the app ended before it responded. */
const send = ({ process, receive }: App, { parameters }: StreamedEvent) =>
  Promise.race<WebhookResponse | undefined>([receive(signedForm(parameters)), process.ended]);

test(`delivers each of ${requests} events once, despite crashes, and ends with the last status`, async () => {
  const disk = new Disk();
  expect(waiting).toHaveLength(requests);
  const answers = new Map<number | undefined, number>();
  let app = start(disk, 1);
  let sent = 0;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, atATime);
    const answered = batch.map((one) => send(app, one));
    sent += batch.length;
    if (Math.floor(sent / requestsPerRestart) >= app.process.id) {
      // In the middle of its work.
      for (let steps = randomBelow(6); steps > 0; steps -= 1) await new Promise(setImmediate);
      app.process.kill();
      app = start(disk, app.process.id + 1);
    }
    for (const [index, answer] of (await Promise.all(answered)).entries()) {
      answers.set(answer?.status, (answers.get(answer?.status) ?? 0) + 1);
      const one = batch[index];
      if (answer?.status !== 200 && one) waiting.splice(randomBelow(200), 0, one);
    }
  }

  // There were failures, kills and late events.
  expect(app.process.id).toBeGreaterThan(20);
  expect(answers.get(500)).toBeGreaterThan(requests / 200);
  expect(answers.get(undefined)).toBeGreaterThan(requests / 200);
  const deliveredKeys = new Set(disk.deliveredKeys);
  const late = events.filter(({ key }) => !deliveredKeys.has(key));
  expect(late.length).toBeGreaterThan(requests / 20);

  expect(disk.deliveredKeys).toHaveLength(deliveredKeys.size);
  const known = new Set(events.map(({ key }) => key));
  expect(disk.deliveredKeys.filter((key) => !known.has(key))).toEqual([]);
  const wrong = events.filter(
    ({ subject, finalStatus }) => disk.statuses.get(subject) !== finalStatus,
  );
  expect(wrong).toEqual([]);
  // Only events that a later step replaced are missing.
  expect(late.filter(({ key, finalStatus }) => key.endsWith(`/${finalStatus}`))).toEqual([]);
});
