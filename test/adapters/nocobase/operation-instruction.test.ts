import type { Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import type { Processor } from '../../../plugin/nocobase/server/workflow/node.ts';
import { operationInstructions } from '../../../plugin/nocobase/server/workflow/operation-instruction.ts';
import { connect, memoryStore } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';

let sandbox: Sandbox;
let store: ReturnType<typeof memoryStore>;

beforeAll(async () => {
  sandbox = await openSandbox();
});
beforeEach(() => {
  sandbox.reset();
  sandbox.messages.length = 0;
  store = memoryStore();
});

interface Run {
  execution?: number;
  node?: number;
  /** The turns of the loops around the node. */
  turns?: number[];
  to?: string;
  body?: string;
}

/** The lanes of the actions that ran. */
const lanes: unknown[] = [];

/** Runs the node that sends an SMS, in a process of its own. */
function run({ execution = 1, node = 7, turns = [], to = '+12025550143', body = 'Hi' }: Run = {}) {
  const { username, password, url: baseUrl } = sandbox;
  const telephony = connect({ username, password, baseUrl });
  const runAction = telephony.run as (id: string, input: object, options: object) => unknown;
  Object.assign(telephony, {
    run: (id: string, input: object, options: { lane?: string } = {}) => {
      lanes.push(options.lane);
      return runAction(id, input, options);
    },
  });
  const account = { settings: {}, defaultSender: '', telephony: () => telephony };
  const [sms] = operationInstructions(
    { logger: { error: () => {} } } as unknown as Application,
    { get: async () => account } as unknown as Accounts,
    store,
  ).filter(({ type }) => type === 'telephony-send-sms');
  const processor: Processor = {
    options: {},
    execution: { id: execution },
    getParsedValue: (value) => value as Record<string, unknown>,
    getScope: () => ({
      $scopes: Object.fromEntries(turns.map((index, loop) => [`loop ${loop}`, { index }])),
    }),
  };
  const config = { input: { from: '+14155550100', to, body } };
  return sms?.instruction.run({ id: node, config }, undefined, processor);
}

test('each node has its own lane', async () => {
  lanes.length = 0;
  await run({ node: 7 });
  await run({ node: 8, execution: 2 });
  expect(lanes).toEqual(['node 7', 'node 8']);
});

test('a node that NocoBase repeats sends once, even if its text has changed', async () => {
  const first = await run();
  const again = await run({ body: 'Hi, it is 12:01' });
  const [message] = sandbox.messages;
  expect(sandbox.messages).toHaveLength(1);
  expect(first).toMatchObject({ status: 1, result: { sid: message?.sid } });
  expect(again).toEqual(first);
});

test.each<[what: string, other: Run]>([
  ['another execution', { execution: 2 }],
  ['another node', { node: 8 }],
  ['the next turn of a loop', { turns: [1] }],
  ['a turn of an inner loop', { turns: [0, 1] }],
  ['another recipient', { to: '+12025550144' }],
])('%s sends again', async (_, other) => {
  await run({ turns: [0] });
  await run({ turns: [0], ...other });
  expect(sandbox.messages).toHaveLength(2);
});

test('a node that failed runs again', async () => {
  sandbox.faults.add({ name: 'missing', method: 'POST', times: 1 });
  expect(await run()).toMatchObject({ status: -1 });
  expect(await run()).toMatchObject({ status: 1 });
});

test('a node whose outcome is unknown is not repeated', async () => {
  sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  sandbox.faults.add(shownNowhere);
  const first = await run();
  expect(first).toMatchObject({ status: -1, result: { code: 'unknown-outcome' } });
  expect(await run()).toEqual(first);
  expect(sandbox.messages).toHaveLength(1);
});
