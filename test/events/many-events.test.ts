import { seededRandom } from '../../demo/sandbox/random.ts';
import { type EventAnswer, type ReceiveEvent, receiveEvents } from '../../src/index.ts';
import { parametersOf } from './fixtures.ts';
import { Disk, keptMemory, Process, report } from './kept-memory.ts';
import { remembersEvents } from './memory.ts';
import { account, address, signedForm } from './signed.ts';

describe('a memory that is kept', () => {
  remembersEvents(() => keptMemory(new Disk(), new Process(1)));
});

const seed = 4_711;
const requests = 10_000;
const repeated = 0.2;
/** How many requests come before the processes of the app are killed and started again. */
const between = 400;
const atATime = 25;

const random = seededRandom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const oneOf = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;

interface Happened {
  key: string;
  /** What it is about, and how it ends. */
  about: string;
  last: string;
  parameters: Record<string, string>;
}

const lives = {
  message: [
    ['queued', 'sent', 'delivered'],
    ['sent', 'undelivered'],
    ['accepted', 'queued', 'sending', 'sent', 'delivered', 'read'],
    ['queued', 'failed'],
  ],
  call: [
    ['initiated', 'ringing', 'in-progress', 'completed'],
    ['ringing', 'no-answer'],
    ['queued', 'ringing', 'busy'],
    ['canceled'],
  ],
};

function life(id: string, sidName: string, statusName: string, statuses: string[], sid: string) {
  return statuses.map((status) => ({
    key: `${id}/${sid}/${status}`,
    ...{ about: `${id} ${sid}`, last: statuses.at(-1) ?? '' },
    parameters: { ...parametersOf(id), [sidName]: sid, [statusName]: status },
  }));
}

function single(id: string, sidName: string, status: string, sid: string): Happened[] {
  const parameters = { ...parametersOf(id), [sidName]: sid };
  return [{ key: `${id}/${sid}`, about: `${id} ${sid}`, last: status, parameters }];
}

/** What happens at the service, one record after the other. */
function happenings(count: number): Happened[] {
  const happened: Happened[] = [];
  for (let index = 0; happened.length < count - 6; index += 1)
    happened.push(
      ...oneOf([
        () =>
          life('message-status', 'MessageSid', 'MessageStatus', oneOf(lives.message), `SM${index}`),
        () => life('call-status', 'CallSid', 'CallStatus', oneOf(lives.call), `CA${index}`),
        () => single('sms-received', 'MessageSid', 'received', `SM${index}`),
        () => single('recording-ready', 'RecordingSid', 'completed', `RE${index}`),
      ])(),
    );
  while (happened.length < count)
    happened.push(
      ...single('recording-ready', 'RecordingSid', 'completed', `RE0${happened.length}`),
    );
  return happened;
}

/** In which order they come: some twice, and all of them up to a hundred places from where they belong. */
function onTheirWay(happened: Happened[]): Happened[] {
  const placed = happened.map((one, place) => ({ one, place: place + random() * 100 }));
  const again = happened
    .slice(0, Math.round(requests * repeated))
    .map(() => oneOf(placed))
    .map(({ one, place }) => ({ one, place: place + random() * 1_000 }));
  return [...placed, ...again].sort((a, b) => a.place - b.place).map(({ one }) => one);
}

interface App {
  process: Process;
  receive: ReceiveEvent;
}

/** Starts the app on what is left of it. In one of fifty cases it fails. */
function start(disk: Disk, id: number): App {
  const process = new Process(id);
  const receive = receiveEvents(account, {
    address,
    memory: keptMemory(disk, process),
    async tell(event, { note }) {
      await process.step();
      if (below(50) === 0) throw new Error('The database is locked.');
      await process.step();
      report(disk, event, note);
      await process.step();
    },
  });
  return { process, receive };
}

/** Sends a request. Undefined where the app ended before it answered. */
const send = ({ process, receive }: App, { parameters }: Happened) =>
  Promise.race<EventAnswer | undefined>([receive(signedForm(parameters)), process.ended]);

test(`of ${requests} events each is reported once, and the last status is right`, async () => {
  const disk = new Disk();
  const happened = happenings(requests * (1 - repeated));
  const waiting = onTheirWay(happened);
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
  expect(answers.get(500)).toBeGreaterThan(50);
  expect(answers.get(undefined)).toBeGreaterThan(50);
  const reported = new Set(disk.reported);
  const late = happened.filter(({ key }) => !reported.has(key));
  expect(late.length).toBeGreaterThan(500);

  expect(disk.reported).toHaveLength(reported.size);
  const known = new Set(happened.map(({ key }) => key));
  expect(disk.reported.filter((key) => !known.has(key))).toEqual([]);
  const wrong = happened.filter(({ about, last }) => disk.statuses.get(about) !== last);
  expect(wrong).toEqual([]);
  // Nothing is missing but what a later step has replaced.
  expect(late.filter(({ key, last }) => key.endsWith(`/${last}`))).toEqual([]);
});
