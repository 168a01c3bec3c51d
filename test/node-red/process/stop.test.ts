import { getEventListeners } from 'node:events';
import { type Gate, gateTo } from '../../support/gate.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

/** How many messages come in, and how many requests are in progress at a time. */
const count = 50;
const together = 10;

let host: Host;
let gate: Gate;
let sent: Loose[];
let caught: Loose[];
let mostListeners = 0;

/**
 * Counts the listeners of signals. Node warns of more than ten for one signal, but on another process object than that
 * of jest's tests.
 */
function countListeners() {
  const { addEventListener } = EventTarget.prototype;
  jest.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (
    this: EventTarget,
    ...added
  ) {
    addEventListener.apply(this, added);
    mostListeners = Math.max(mostListeners, getEventListeners(this, added[0]).length);
  });
}

beforeAll(async () => {
  countListeners();
  // Long enough for requests to finish on a busy machine. One test waits until it ends.
  host = await startNodeRed(undefined, { nodeCloseTimeout: 10_000 });
});
afterAll(() => jest.restoreAllMocks());
beforeEach(async () => {
  gate = await gateTo(host.sandbox.url);
  takeRequests(host.sandbox);
  host.sandbox.messages.length = 0;
  host.takeWarnings();
  host.takeStatuses();
});

const sms = {
  ...{ id: 'node', type: 'telephony-send-sms', inputFrom: '+14155550100' },
  ...{ inputTo: 'payload', typeOfTo: 'msg', inputBody: 'Private words' },
};
const list = { id: 'node', ...nodeOf('calls-by-caller-id'), inputFrom: '+12025550143' };

const flow = (node: Node): Node[] => [
  accountNode(host.sandbox, { baseUrl: gate.url }),
  { account: 'account', ...node, wires: [['sent']] },
  { id: 'errors', type: 'catch', wires: [['caught']] },
  ...['sent', 'caught'].map((id) => ({ id, type: 'debug', active: false })),
];

const numberOf = (index: number) => `+1202555${String(index).padStart(4, '0')}`;
const numbers = Array.from({ length: count }, (_, index) => numberOf(index));
const first = numbers.slice(0, together);
const rest = numbers.slice(together);
/** The recipient of a message that comes in after all of these. */
const late = '+12025559999';

const about = (to: string) => `"Send SMS" (From +14155550100, To ${to})`;
const notDone = (to: string, why: string) =>
  `${about(to)} was not sent: its node was ${why} while it waited.`;

/** Deploys a flow, sends it messages, and waits until the maximum number of requests is in progress. */
async function start(node: Node, messages: object[], inProgress: number) {
  await host.deploy(flow(node));
  [sent, caught] = [[], []];
  host.node('sent').on('input', (message: Loose) => sent.push(message));
  host.node('caught').on('input', (message: Loose) => caught.push(message));
  for (const message of messages) host.node('node').receive(message);
  await gate.holds(inProgress);
}

const startSending = () =>
  start(
    sms,
    numbers.map((payload) => ({ payload })),
    together,
  );

const stored = () => host.sandbox.messages.map(({ to }) => to).sort();

test("many messages of a node don't hold up another node", async () => {
  const alarm = { ...sms, id: 'alarm', account: 'account', wires: [['sent']] };
  await host.deploy([...flow(sms), alarm]);
  sent = [];
  host.node('sent').on('input', (message: Loose) => sent.push(message));
  for (const payload of numbers) host.node('node').receive({ payload });
  await gate.holds(together);
  host.node('alarm').receive({ payload: late });
  await gate.holds(together + 1);
  await gate.open();
  await until(() => sent.length === count + 1);
  expect(stored()).toEqual([...numbers, late]);
});

test.each(['full', 'nodes'] as const)(
  'a deploy during a run loses no message without reporting it: %s',
  async (type) => {
    await startSending();
    const closing = host.closing();
    const node = host.node('node');
    const deployed = host.deploy(flow({ ...sms, name: 'Deployed again' }), type);
    await closing;
    await until(() => !host.node('node'));
    node.receive({ payload: late });
    await gate.open();
    await deployed;
    expect(stored()).toEqual(first);
    const said = host.takeWarnings();
    expect(said).toHaveLength(count + 1);
    for (const to of [...rest, late]) expect(said).toContain(notDone(to, 'closed'));
    for (const to of first)
      expect(said).toContain(`${about(to)} succeeded while its node was closed.`);
    expect(host.logged()).not.toContain('Private words');
    if (type === 'nodes') {
      expect(sent.map(({ payload }) => payload.to).sort()).toEqual(first);
      expect(caught.map(({ payload, error }) => [payload, error.code]).sort()).toEqual(
        [...rest, late].map((to) => [to, 'aborted']),
      );
    }
    const shown = host.takeStatuses().filter(([id]) => id === 'node');
    expect(shown.at(-1)).toEqual(['node', undefined, undefined]);
  },
);

test('a request still in progress at the close timeout has an unknown outcome', async () => {
  await startSending();
  await host.deploy(flow({ ...sms, name: 'Deployed again' }));
  const said = host.takeWarnings();
  expect(said).toHaveLength(count);
  for (const to of rest) expect(said).toContain(notDone(to, 'closed'));
  for (const to of first)
    expect(said.filter((text) => text.startsWith(`${about(to)}: `))).toEqual([
      expect.stringContaining('The outcome of "Send SMS" is unknown'),
    ]);
});

test('a deploy stops a read at once', async () => {
  await start(list, [{}], 1);
  await host.deploy(flow({ ...list, name: 'Deployed again' }), 'nodes');
  expect(sent).toEqual([]);
  expect(caught).toEqual([
    expect.objectContaining({ error: expect.objectContaining({ code: 'aborted' }) }),
  ]);
  expect(host.takeWarnings()).toEqual([
    '"Calls by caller id" (From +12025550143) was not read completely: its node was closed.',
  ]);
});

test.each(['stop', 'reset'])('msg.%s stops a run', async (property) => {
  await startSending();
  host.node('node').receive({ [property]: true });
  await gate.open();
  await until(() => sent.length === together);
  expect(stored()).toEqual(first);
  expect(caught.map(({ payload, error }) => [payload, error.code, error.message]).sort()).toEqual(
    rest.map((to) => [to, 'aborted', notDone(to, 'stopped')]),
  );
  host.node('node').receive({ payload: late });
  await until(() => sent.length > together);
  expect(stored()).toEqual([...first, late]);
});

const call = { id: 'node', ...nodeOf('view-a-call'), inputCallSid: `CA${'0'.repeat(32)}` };
const reads: [what: string, node: Node, about: string][] = [
  ['a list', list, '"Calls by caller id" (From +12025550143)'],
  ['a record', call, `"View a Call" (Call SID ${call.inputCallSid})`],
];

test.each(reads)('msg.stop stops the read of %s', async (_, node, about) => {
  await start(node, [{}], 1);
  host.node('node').receive({ stop: true });
  await until(() => caught.length > 0);
  expect(caught[0].error.message).toBe(`${about} was not read completely: its node was stopped.`);
  expect(sent).toEqual([]);
});

test('waiting messages never add more than ten listeners to a signal', async () => {
  mostListeners = 0;
  await startSending();
  await gate.open();
  await until(() => sent.length === count);
  expect(mostListeners).toBeGreaterThan(0);
  expect(mostListeners).toBeLessThanOrEqual(10);
});
