import {
  answerMessage,
  type Perform,
  type Task,
} from '../../plugin/node-red/node/answer-message.ts';
import { Runs } from '../../plugin/node-red/node/runs.ts';
import { StatusLine } from '../../plugin/node-red/node/status-line.ts';
import { type Operation, operation, TelephonyError } from '../../src/index.ts';
import { needs, skipWithout } from '../needs.ts';

skipWithout(needs.nodeRed);

const util = needs.nodeRed.path && require('@node-red/util').util;

const sms = operation('send-sms');
const calls = operation('calls-by-caller-id');

const toSomeone = { inputFrom: '+14155550100', inputTo: '+12025550143', inputBody: 'Hello' };
const about = '"Send SMS" (From +14155550100, To +12025550143)';
const record = { sid: 'SM1' };

const answers: Perform = async function* () {
  yield { records: [record], more: false };
};
const pages: Perform = async function* () {
  yield { records: [record], more: true };
  yield { records: [record, record], more: false };
};
const fails: Perform = async function* () {
  yield* [];
  throw new TelephonyError('rejected', 'The service refused it.');
};

interface Circumstances {
  config?: object;
  isClosing?: boolean;
  isStopped?: boolean;
  /** Whether nothing catches errors, so that they go into the log, as a text. */
  isLogged?: boolean;
  defaultSender?: string;
}

/** What becomes of a message that comes to a node, which is that of no Node-RED. */
async function become(
  of: Operation,
  perform: Perform,
  { config = {}, isClosing, isStopped, isLogged, defaultSender = '' }: Circumstances,
) {
  const seen = {
    sent: [] as object[],
    warned: [] as string[],
    told: [] as (string | undefined)[],
    shown: [] as (string | undefined)[],
    performed: [] as object[],
  };
  const runs = new Runs();
  if (isClosing) await runs.close(0);
  const account = { id: 'account', telephony: () => ({}), defaultSender: () => defaultSender };
  const RED = { util, settings: {}, nodes: { getNode: () => account } };
  const properties = { id: 'node', type: 'telephony', account: 'account', ...config };
  // biome-ignore lint/suspicious/noExplicitAny: only what of Node-RED and a node is needed here
  const place: any = {
    ...{ RED, operation: of, config: properties, typed: properties, runs },
    node: { warn: (text: string) => seen.warned.push(text) },
    status: new StatusLine(of, ({ text }) => seen.shown.push(text)),
    perform: (task: Task) => {
      seen.performed.push(task.input);
      return perform(task);
    },
  };
  const stop = isStopped ? AbortSignal.abort() : new AbortController().signal;
  await answerMessage(
    place,
    { stop, end: new AbortController().signal },
    {
      message: { payload: 'replaced' },
      send: (message) => seen.sent.push(message),
      done: (error) => seen.told.push(isLogged ? `${error}` : error?.message),
    },
  );
  return seen;
}

const service = 'MG0123456789abcdef0123456789abcdef';
const sent = [{ payload: record, more: false }];
const input = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
const done = { sent, warned: [], told: [undefined], performed: [input] };
const refused = `${about}: The service refused it.`;
const failed = { sent: [], warned: [], shown: ['requesting', '1 failed: rejected'] };

const cases: [
  what: string,
  of: Operation,
  perform: Perform,
  circumstances: Circumstances,
  expected: Partial<Awaited<ReturnType<typeof become>>>,
][] = [
  ['what is done goes on', sms, answers, {}, { ...done, shown: ['requesting', '1 done'] }],
  [
    'pages go on one after the other, and their records are counted',
    ...([calls, pages, {}] as const),
    {
      sent: [
        { payload: [record], more: true },
        { payload: [record, record], more: false },
      ],
      shown: ['requesting', '1 record, and more', '3 records'],
    },
  ],
  [
    'what is done while the node is closed is in the log, too',
    ...([sms, answers, { isClosing: true }] as const),
    { ...done, warned: [`${about} was done while its node was closed.`] },
  ],
  [
    'what is read then is not',
    ...([calls, answers, { isClosing: true }] as const),
    { warned: [], told: [undefined] },
  ],
  [
    'a failure is told',
    ...([sms, fails, {}] as const),
    { ...failed, told: ['The service refused it.'] },
  ],
  [
    'a failure that nothing catches is in the log once',
    ...([sms, fails, { isLogged: true }] as const),
    { ...failed, told: [refused] },
  ],
  [
    'a failure that is caught while the node is closed is in the log, too',
    ...([sms, fails, { isClosing: true }] as const),
    { ...failed, told: [refused], warned: [refused] },
  ],
  [
    'a failure that nothing catches then is in the log once',
    ...([sms, fails, { isClosing: true, isLogged: true }] as const),
    { ...failed, told: [refused] },
  ],
  [
    'what is stopped before it begins is not done',
    ...([sms, answers, { isStopped: true }] as const),
    {
      ...{ sent: [], performed: [], warned: [] },
      told: [`${about} was not done: its node was stopped while it waited.`],
    },
  ],
  [
    'what has no place for its answer is not done',
    ...([sms, answers, { config: { property: 'payload.sent' } }] as const),
    { sent: [], performed: [], told: [expect.stringContaining('put into msg.payload.sent.')] },
  ],
  [
    'the sender is that of the account where the node names none',
    ...([sms, answers, { config: { inputFrom: '' }, defaultSender: '+14155550101' }] as const),
    { performed: [{ ...input, from: '+14155550101' }] },
  ],
  [
    'the sender is that of the node where it names one',
    ...([sms, answers, { defaultSender: '+14155550101' }] as const),
    { performed: [input] },
  ],
  [
    'nobody is the sender where a messaging service chooses one',
    ...([operation('send-a-message'), answers] as const),
    {
      config: { inputFrom: '', inputMessagingServiceSid: service },
      defaultSender: '+14155550101',
    },
    { performed: [{ to: '+12025550143', body: 'Hello', messagingServiceSid: service }] },
  ],
  [
    'there is no sender where nobody names one',
    ...([sms, answers, { config: { inputFrom: '' } }] as const),
    { performed: [{ to: '+12025550143', body: 'Hello' }] },
  ],
  [
    'no list is asked by the sender of the account',
    ...([calls, answers, { config: { inputFrom: '' }, defaultSender: '+14155550101' }] as const),
    { performed: [{}] },
  ],
];

test.each(cases)('%s', async (_, of, perform, { config, ...others }, expected) => {
  const seen = await become(of, perform, { config: { ...toSomeone, ...config }, ...others });
  expect(seen).toEqual({ ...seen, ...expected });
});
