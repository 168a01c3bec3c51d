import { inspect } from 'node:util';
import {
  actionOf,
  Batches,
  memoryStore,
  planRow,
  planRows,
  writeEntry,
} from '../../src/builder.ts';
import type { BatchNotes, Store, StoredNote } from '../../src/index.ts';
import { size } from '../support/size.ts';
import {
  type Fault,
  lost,
  type Planned,
  type Process,
  storeAway,
  World,
  writes,
} from './pair-world.ts';
import { account, basic, skipRetryWaits } from './service.ts';

// Two faults at once. Other tables try one at a time.

const action = actionOf('send-sms');
const count = 8;
const phoneOf = (index: number) => `+120255501${String(index).padStart(2, '0')}`;
const textOf = (index: number) => `Hello ${index}`;
/** Two rows are written in another way, and send the same as others. */
const rows = [
  ...Array.from({ length: count }, (_, index) => ({ to: phoneOf(index), body: textOf(index) })),
  { to: '+1 (202) 555-0101', body: textOf(1) },
  { to: 'tel:+1-202-555-0106', body: textOf(6) },
];
const inputs = rows.map((row) => ({ from: '+14155550100', ...row }));

const serverError = (status: number) => () => ({ status, body: { code: 0, message: 'Sorry' } });
const storeFails = (left: number, when: 'before' | 'after' | 'slow', verbs: readonly string[]) => ({
  begin: (world: World) => {
    world.storeFault = { left, when, verbs };
  },
});
const all = ['get', 'insert', 'swap', 'find', 'clear', 'expire'];
const minuteMs = 60_000;

const faults: Fault[] = [
  {
    ...{ what: 'a response is lost', doubt: 'of buttons' },
    respond(send) {
      send();
      throw lost();
    },
  },
  {
    ...{ what: 'a message is sent, and the response is an error', doubt: 'of buttons' },
    respond(send) {
      send();
      return { status: 500, body: {} };
    },
  },
  {
    ...{ what: 'the connection is refused', times: 3 },
    respond() {
      throw Object.assign(new Error('Refused'), { code: 'ECONNREFUSED', notSent: true });
    },
  },
  { what: 'the rate limit refuses', times: 3, respond: serverError(429) },
  { what: 'the service fails', times: 2, respond: serverError(500) },
  { what: 'the service is away for a moment', respond: serverError(503) },
  {
    ...{ what: 'the limit of an hour is reached', isLimit: true },
    options: (_, at) => ({ spending: { perHour: at } }),
  },
  {
    what: 'someone stops sending',
    begin: (world) => {
      world.isSendingStopped = true;
    },
    options: (world) => ({ spending: { stopped: () => world.isSendingStopped } }),
  },
  {
    what: 'quiet hours begin',
    begin: (world) => {
      world.aheadMs += 40 * minuteMs;
    },
    options: () => ({ spending: { quietHours: '22:00-08:00 UTC' } }),
  },
  {
    what: 'the process ends before a request',
    doubt: 'everywhere',
    begin: (_, process) => process.end(),
    respond() {
      throw lost();
    },
  },
  {
    what: 'the process ends after a request',
    doubt: 'everywhere',
    begin: (_, process) => process.end(),
  },
  {
    what: 'the process freezes before a request',
    doubt: 'everywhere',
    begin: (_, process) => process.freeze(),
    async respond(send, process) {
      await process.step();
      return send();
    },
  },
  {
    what: 'the process freezes after a request',
    doubt: 'everywhere',
    begin: (_, process) => process.freeze(),
  },
  {
    what: 'a write of the store fails',
    doubt: 'outside batches',
    ...storeFails(1, 'before', writes),
  },
  {
    what: 'a write of the store fails, and is done',
    doubt: 'outside batches',
    ...storeFails(1, 'after', writes),
  },
  {
    what: 'six writes of the store fail',
    doubt: 'outside batches',
    ...storeFails(6, 'before', writes),
  },
  {
    what: 'the store is away',
    isUnreadable: true,
    doubt: 'everywhere',
    ...storeFails(Number.POSITIVE_INFINITY, 'before', all),
  },
  { what: 'the store is slow', doubt: 'everywhere', ...storeFails(8, 'slow', all) },
  {
    what: 'the log is away',
    doubt: 'of buttons',
    begin: (world) => {
      world.log.failing = Number.POSITIVE_INFINITY;
    },
  },
  {
    what: 'the log is late',
    doubt: 'of buttons',
    begin: (world) => {
      world.log.late = 3;
    },
  },
  {
    what: 'someone opts out',
    begin: (world) => {
      world.optedOut.add(phoneOf(5)).add(phoneOf(7));
    },
  },
  { what: 'someone stops the batch', begin: (_, process) => process.stop() },
  { what: 'someone clicks twice', isTwice: true },
  {
    what: "the service's clock is set",
    doubt: 'of buttons',
    begin: (world) => {
      world.serviceAheadMs += 7 * minuteMs;
    },
  },
  {
    what: "the service's clock is set back",
    doubt: 'everywhere',
    begin: (world) => {
      world.serviceAheadMs -= 7 * minuteMs;
    },
  },
];

/** Does what sends to the rows, and resolves to whether something was left to do. */
type Press = (world: World, process: Process) => Promise<boolean>;

const button = { owner: 'Ada', actionId: action.id, button: 'B', context: undefined };
/** The rows of a press. Each second one has them in another order, so that those in doubt aren't the first. */
const rowsOf = ({ press }: Process) => (press % 2 === 0 ? inputs.toReversed() : inputs);
const planOf = (process: Process) =>
  planRows(rowsOf(process), (input) =>
    planRow(action, { name: input.body, filled: ['to'], input: () => input }),
  );
const keys = new WeakMap<Process, string>();

const pressBatch: Press = async (world, process) => {
  const { library } = process;
  const own = new library.Batches<undefined>(world.storeOf(process));
  const telephony = library.connect(world.optionsFor(process));
  const { key } = await own.openPreview(button, { items: await planOf(process) });
  keys.set(process, key);
  process.stop = () =>
    void own.stop(key, button.owner).catch((error) => process.reported.push(error));
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  process.gone.then(async () => {
    if (!process.isAlive) await own.close().then(end);
  });
  const report = (error: unknown) => {
    process.reported.push(error);
    end();
  };
  const work = { action, open: async () => telephony, ended: end, report };
  const isStarted = await own.start(key, button.owner, work);
  if (isStarted) await ended;
  return isStarted;
};

/** Reads what the batches tell in the end. */
async function readBatches({ processes, store }: World) {
  const reader = new Batches<undefined>(store, { isAlone: () => true });
  for (const process of processes) {
    const batch = await reader.find(keys.get(process) ?? '', button.owner);
    const items: { to?: string; outcome: string }[] =
      batch?.items ?? rows.map(({ to }) => ({ to, outcome: 'not-run' }));
    process.told = items.map(({ to = '', outcome }) => ({ to, outcome }));
  }
}

/** The notes of a row, in the store. */
const notesOf = (store: Store, key: string): BatchNotes => ({
  read: async () => (await store.get('notes', key))?.value as StoredNote | undefined,
  async replace(old, note) {
    const entry = await store.get('notes', key);
    if ((entry?.value as StoredNote | undefined)?.outcome !== old?.outcome) return false;
    return writeEntry(store, 'notes', entry, { key, value: note });
  },
});

const pressRows: Press = async (world, process) => {
  const telephony = process.library.connect(world.optionsFor(process));
  const stop = new AbortController();
  process.stop = () => stop.abort();
  const store = world.storeOf(process);
  const all = rowsOf(process).map((input) => ({ input, notes: notesOf(store, input.to) }));
  await telephony.runBatch(action.id, all, {
    ...{ signal: stop.signal, longestMs: 1 },
    onResult({ input }, { outcome, error }) {
      const to = telephony.cleanPhone(Object(input).to);
      process.told.push({ to, outcome, after: world.sent.length });
      if (error !== undefined) process.thrown.push(error);
    },
  });
  return process.told.some(({ outcome }) => !['already-done', 'duplicate'].includes(outcome));
};

/** Presses a button for each row that certainly got nothing. */
const pressButtons: Press = async (world, process) => {
  const store = world.storeOf(process);
  const account = process.library.connect(world.optionsFor(process));
  const telephony = process.library.withSingleSends(account, store);
  const clicks = process.library.clicks<unknown>(store);
  const known = world.processes.flatMap((one) => (one.press < process.press ? one.told : []));
  const isLeft = (to: string) =>
    known.every((one) => one.to !== to || ['failed', 'opted-out'].includes(one.outcome));
  const left = inputs.slice(0, count).filter(({ to }) => isLeft(to));
  const codes = left.map(async (input) => {
    try {
      await clicks.once(`Ada ${input.to}`, () => telephony.run(action.id, input));
      process.told.push({ to: input.to, outcome: 'done' });
    } catch (error) {
      process.thrown.push(error);
      const { code, serviceCode } = Object(error);
      const failed = serviceCode === 21610 ? 'opted-out' : 'failed';
      process.told.push({ to: input.to, outcome: code === 'unknown-outcome' ? 'unknown' : failed });
    }
  });
  await Promise.all(codes);
  return left.length > 0;
};

/** Whether a told outcome agrees with the messages to a number, and those of the process that told it, or of an earlier press. */
function isTrue(outcome: string, sent: number, known: number): boolean {
  if (outcome === 'done' || outcome === 'already-done') return sent > 0;
  return outcome === 'unknown' || outcome === 'duplicate' || known === 0;
}

let number = 0;
/** Presses until nothing is left, with some faults, and returns what is wrong. */
async function wrongAfter(press: Press, plan: Planned[]): Promise<string[]> {
  number += 1;
  const world = new World(`AC${String(number).padStart(32, '0')}`, memoryStore(), plan);
  jest.spyOn(Date, 'now').mockImplementation(world.now);
  const work: Promise<unknown>[] = [];
  for (let isOver = false; !isOver; ) {
    const round = world.next();
    const pressed = world.start().map((process) => {
      const ended = press(world, process).catch((error) => {
        process.thrown.push(error);
        return false;
      });
      work.push(ended);
      return Promise.race([ended, process.gone]);
    });
    const isStarted = (await Promise.all(pressed)).includes(true);
    isOver = round === 4 || (round > 2 && !isStarted);
  }
  for (const process of world.processes) process.thaw();
  await Promise.all(work);
  if (press === pressBatch) await readBatches(world);

  const wrong: string[] = [];
  const isUnreadable = plan.some(({ fault }) => fault.isUnreadable);
  const sentTo = (to: string) => world.sent.filter((one) => one.to === to);
  for (const process of world.processes)
    for (const { to, outcome, after = Number.POSITIVE_INFINITY } of process.told) {
      const sent = sentTo(to);
      // A process that was frozen can send after another one told the outcome.
      const known = sent.filter(
        (one) =>
          world.sent.indexOf(one) < after &&
          (one.by === process || (!isUnreadable && one.by.press < process.press)),
      ).length;
      if (!isTrue(outcome, sent.length, known))
        wrong.push(`press ${process.press}: ${to} is ${outcome}, and got ${sent.length}`);
    }
  const isInDoubt = plan.some(({ fault: { doubt } }) =>
    [
      'everywhere',
      press !== pressBatch && 'outside batches',
      press === pressButtons && 'of buttons',
    ].includes(doubt ?? ''),
  );
  for (const press of [1, 2]) {
    const limits = plan.filter((one) => one.fault.isLimit && one.press === press);
    // Of two limits in one press, the last one counts.
    const most = limits.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    if (world.sent.filter(({ by }) => by.press === press).length > most)
      wrong.push(`press ${press} sent more than ${most}`);
  }
  for (const { to } of inputs.slice(0, count)) {
    const sent = sentTo(to).length;
    const told = world.processes.flatMap((one) =>
      one.told.filter((row) => row.to === to && row.outcome !== 'duplicate'),
    );
    const last = told.at(-1)?.outcome ?? 'none';
    const isUnknown = last === 'unknown';
    const isDoubt = isUnknown && (isInDoubt || (sent === 0 && world.tried.has(to)));
    const isOut = sent === 0 && last === 'opted-out';
    const isDone = sent === 1 && ['done', 'already-done'].includes(last);
    if (sent > 1) wrong.push(`${to} got ${sent}`);
    else if (!isDoubt && !isOut && !isDone)
      wrong.push(`${to} got ${sent} in the end, and is ${last}`);
  }
  for (const { to, body } of world.sent)
    if (!inputs.some((one) => one.to === to && one.body === body))
      wrong.push(`“${body}” went to ${to}`);
  const alive = world.processes.filter(({ isAlive }) => isAlive);
  const thrown = alive.flatMap((process) => process.thrown);
  const reported = alive.flatMap((process) => process.reported);
  // The columns of the rows are functions of the program, which get what these throw.
  if (press === pressRows) reported.push(...thrown.splice(0));
  for (const error of thrown)
    if (Object(error).name !== 'TelephonyError') wrong.push(`thrown: ${inspect(error)}`);
  for (const error of reported)
    if (
      error !== storeAway &&
      !/^(TelephonyError|Error: The batch was interrupted)/.test(String(error))
    )
      wrong.push(`reported: ${inspect(error)}`);
  const shown = inspect([thrown, reported, world.store.entries()], { depth: 20 });
  if (shown.includes(account.password) || shown.includes(basic)) wrong.push('a secret is shown');
  return wrong;
}

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

const moments = [
  ['at once', { press: 1, at: 5 }],
  ['when it is pressed again', { press: 2, at: 1 }],
] as const;

/** A short round tries every thirteenth combination, which reaches each fault in each way, and a long one every third. */
const step = size(13, 3);
let combinations = 0;

describe.each<[what: string, press: Press]>([
  ['a batch', pressBatch],
  ['rows whose columns record outcomes', pressRows],
  ['buttons', pressButtons],
])('%s', (_, press) => {
  test.each(faults)('nothing is sent twice, or told wrongly, if $what and then', async (first) => {
    const found: Record<string, string[]> = {};
    for (const second of faults)
      for (const [when, moment] of moments) {
        combinations += 1;
        if (combinations % step > 0) continue;
        const plan = [
          { fault: first, press: 1, at: 3 },
          { fault: second, ...moment },
        ];
        const wrong = await wrongAfter(press, plan);
        if (wrong.length > 0) found[`${second.what}, ${when}`] = wrong;
      }
    expect(found).toEqual({});
  });
});
