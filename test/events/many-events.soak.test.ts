import { type ReceiveEvent, receiveEvents, type WebhookResponse } from '../../src/builder.ts';
import { size } from '../support/size.ts';
import { eventStream, type Happened } from './event-stream.ts';
import { Disk, keptMemory, Process, report } from './kept-memory.ts';
import { remembersEvents } from './memory.ts';
import { account, address, signedForm } from './signed.ts';

describe('a delivery log on disk', () => {
  remembersEvents(() => keptMemory(new Disk(), new Process(1)));
});

const requests = size(2_500, 10_000);
/** How many requests come before the processes of the app are killed and started again. */
const between = requests / 25;
const atATime = 25;

const { happened, waiting, below } = eventStream(requests);

interface App {
  process: Process;
  receive: ReceiveEvent;
}

/** Starts the app on what is left of it. In one of fifty cases it fails. */
function start(disk: Disk, id: number): App {
  const process = new Process(id);
  const receive = receiveEvents(account, {
    url: address,
    deliveryLog: keptMemory(disk, process),
    async onEvent(event, { identity }) {
      await process.step();
      if (below(50) === 0) throw new Error('The database is locked.');
      await process.step();
      report(disk, event, identity);
      await process.step();
    },
  });
  return { process, receive };
}

/** Sends a request. Undefined where the app ended before it answered. */
const send = ({ process, receive }: App, { parameters }: Happened) =>
  Promise.race<WebhookResponse | undefined>([receive(signedForm(parameters)), process.ended]);

test(`delivers each of ${requests} events once, in spite of crashes, and ends with the last status`, async () => {
  const disk = new Disk();
  expect(waiting).toHaveLength(requests);
  const answers = new Map<number | undefined, number>();
  let app = start(disk, 1);
  let sent = 0;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, atATime);
    const answered = batch.map((one) => send(app, one));
    sent += batch.length;
    if (Math.floor(sent / between) >= app.process.id) {
      // In the middle of what it does.
      for (let steps = below(6); steps > 0; steps -= 1) await new Promise(setImmediate);
      app.process.kill();
      app = start(disk, app.process.id + 1);
    }
    for (const [index, answer] of (await Promise.all(answered)).entries()) {
      answers.set(answer?.status, (answers.get(answer?.status) ?? 0) + 1);
      const one = batch[index];
      if (answer?.status !== 200 && one) waiting.splice(below(200), 0, one);
    }
  }

  // The test meets what it is about: failures, ends of the process, and events that came late.
  expect(app.process.id).toBeGreaterThan(20);
  expect(answers.get(500)).toBeGreaterThan(requests / 200);
  expect(answers.get(undefined)).toBeGreaterThan(requests / 200);
  const reported = new Set(disk.reported);
  const late = happened.filter(({ key }) => !reported.has(key));
  expect(late.length).toBeGreaterThan(requests / 20);

  expect(disk.reported).toHaveLength(reported.size);
  const known = new Set(happened.map(({ key }) => key));
  expect(disk.reported.filter((key) => !known.has(key))).toEqual([]);
  const wrong = happened.filter(({ about, last }) => disk.statuses.get(about) !== last);
  expect(wrong).toEqual([]);
  // Nothing is missing but what a later step has replaced.
  expect(late.filter(({ key, last }) => key.endsWith(`/${last}`))).toEqual([]);
});
