import { valuesIn } from '../../../plugin/node-red/locale/server-translator.ts';
import { fillIn } from '../../../plugin/node-red/locale/translate.ts';
import {
  handleRecipients,
  type Perform,
  type Task,
} from '../../../plugin/node-red/node/handle-message.ts';
import { passToNodeRed } from '../../../plugin/node-red/node/report.ts';
import { Runs } from '../../../plugin/node-red/node/runs.ts';
import { StatusLine } from '../../../plugin/node-red/node/status-line.ts';
import {
  cleanPhone,
  inEnglish,
  type Operation,
  operation,
  TelephonyError,
} from '../../../src/builder.ts';
import { needs, skipWithout } from '../../support/needs.ts';

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
  /** Whether no node catches errors, so that the log contains them as text. */
  isLogged?: boolean;
  defaultSender?: string;
  message?: object;
}

/** Returns what a node does with a message, without a running Node-RED. */
async function resultsOf(
  of: Operation,
  perform: Perform,
  { config = {}, message, isClosing, isStopped, isLogged, defaultSender = '' }: Circumstances,
) {
  const seen = {
    sent: [] as object[],
    warned: [] as string[],
    reported: [] as (string | undefined)[],
    shown: [] as (string | undefined)[],
    performed: [] as object[],
    caught: [] as [message: string, to: unknown][],
  };
  const runs = new Runs();
  if (isClosing) await runs.close(0);
  const telephony = () => ({ cleanPhone });
  const account = { id: 'account', telephony, defaultSender: () => defaultSender };
  const RED = { util, settings: {}, nodes: { getNode: () => account } };
  const properties = { id: 'node', type: 'telephony', account: 'account', ...config };
  // biome-ignore lint/suspicious/noExplicitAny: only what of Node-RED and a node is needed here
  const own: any = {
    ...{ RED, operation: of, config: properties, typed: properties, runs },
    node: {
      warn: (text: string) => seen.warned.push(text),
      error: ({ message }: Error, { to }: { to?: unknown }) => seen.caught.push([message, to]),
    },
    status: new StatusLine(
      of,
      (text, values) => fillIn(text, valuesIn('en', values)),
      inEnglish,
      ({ text }) => seen.shown.push(text),
    ),
    perform: (task: Task) => {
      seen.performed.push(task.input);
      return perform(task);
    },
  };
  const stop = isStopped ? AbortSignal.abort() : new AbortController().signal;
  await handleRecipients(
    own,
    { stop, end: new AbortController().signal },
    {
      message: message ?? { payload: 'replaced' },
      send: (message) => seen.sent.push(message),
      done: (error) => seen.reported.push(isLogged ? `${error}` : error?.message),
    },
  );
  return seen;
}

const service = 'MG0123456789abcdef0123456789abcdef';
const sent = [{ payload: record, more: false }];
const input = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
const done = { sent, warned: [], reported: [undefined], performed: [input] };
const refused = `${about}: The service refused it.`;
const failed = { sent: [], warned: [], shown: ['requesting', '1 failed: refused by the service'] };

const [ada, bob] = ['+12025550143', '+12025550144'];
const damaged = {
  get payload() {
    throw new Error('It is damaged.');
  },
};

const cases: [
  what: string,
  of: Operation,
  perform: Perform,
  circumstances: Circumstances,
  expected: Partial<Awaited<ReturnType<typeof resultsOf>>>,
][] = [
  [
    'sends on the record of an action',
    sms,
    answers,
    {},
    { ...done, shown: ['requesting', '1 sent'] },
  ],
  [
    'sends on each page and counts the records',
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
    'warns about an action that finishes while its node closes',
    ...([sms, answers, { isClosing: true }] as const),
    { ...done, warned: [`${about} succeeded while its node was closed.`] },
  ],
  [
    'does not warn about a read that finishes while its node closes',
    ...([calls, answers, { isClosing: true }] as const),
    { warned: [], reported: [undefined] },
  ],
  [
    'reports a failure',
    ...([sms, fails, {}] as const),
    { ...failed, reported: ['The service refused it.'] },
  ],
  [
    'logs an uncaught failure once, with its operation',
    ...([sms, fails, { isLogged: true }] as const),
    { ...failed, reported: [refused] },
  ],
  [
    'also logs a caught failure if its node closes',
    ...([sms, fails, { isClosing: true }] as const),
    { ...failed, reported: [refused], warned: [refused] },
  ],
  [
    'logs an uncaught failure only once if its node closes',
    ...([sms, fails, { isClosing: true, isLogged: true }] as const),
    { ...failed, reported: [refused] },
  ],
  [
    'does not perform an action that is stopped while it waits',
    ...([sms, answers, { isStopped: true }] as const),
    {
      ...{ sent: [], performed: [], warned: [] },
      reported: [`${about} was not sent: its node was stopped while it waited.`],
    },
  ],
  [
    'does not perform an action whose result property cannot be set',
    ...([sms, answers, { config: { property: 'payload.sent' } }] as const),
    { sent: [], performed: [], reported: [expect.stringContaining('stored in msg.payload.sent.')] },
  ],
  [
    'uses the sender of the account if the node has none',
    ...([sms, answers, { config: { inputFrom: '' }, defaultSender: '+14155550101' }] as const),
    { performed: [{ ...input, from: '+14155550101' }] },
  ],
  [
    'uses the sender of the node if it has one',
    ...([sms, answers, { defaultSender: '+14155550101' }] as const),
    { performed: [input] },
  ],
  [
    'sets no sender if a messaging service chooses one',
    ...([operation('send-a-message'), answers] as const),
    {
      config: { inputFrom: '', inputMessagingServiceSid: service },
      defaultSender: '+14155550101',
    },
    { performed: [{ to: '+12025550143', body: 'Hello', messagingServiceSid: service }] },
  ],
  [
    'says where to set the sender if neither the node nor the account has one',
    ...([sms, answers, { config: { inputFrom: '' } }] as const),
    {
      performed: [],
      reported: ['"From" is missing. Fill it in, or set "Default sender" in the settings.'],
    },
  ],
  [
    'leaves it to the operation whether a sender is needed',
    ...([operation('send-a-message'), answers, { config: { inputFrom: '' } }] as const),
    { performed: [{ to: '+12025550143', body: 'Hello' }] },
  ],
  [
    'never filters a list by the sender of the account',
    ...([calls, answers, { config: { inputFrom: '' }, defaultSender: '+14155550101' }] as const),
    { performed: [{}] },
  ],
  [
    'sends to recipients in a property of msg.to, and reads them once',
    ...([sms, answers] as const),
    {
      config: { inputTo: 'to.phones', typeOfTo: 'msg', inputBody: 'to', typeOfBody: 'msg' },
      message: { to: { phones: [ada, bob] } },
    },
    {
      performed: [ada, bob].map((to) => ({ ...input, to, body: to })),
      sent: [ada, bob].map((to) => expect.objectContaining({ to, payload: record })),
      ...{ caught: [], reported: [undefined] },
    },
  ],
  [
    'handles a list of one as a list',
    ...([sms, answers] as const),
    {
      config: { inputTo: 'one', typeOfTo: 'msg', inputBody: '"For " & to', typeOfBody: 'jsonata' },
      message: { one: [bob] },
    },
    {
      performed: [{ ...input, to: bob, body: `For ${bob}` }],
      sent: [
        {
          ...{ one: [bob], to: bob, payload: record, more: false },
          parts: { id: expect.any(String), type: 'array', index: 0, count: 1 },
        },
      ],
      ...{ caught: [], reported: [undefined] },
    },
  ],
  [
    'reports the only one of a list with a message of its own',
    ...([sms, fails] as const),
    { config: { inputTo: '' }, message: { to: [bob] } },
    { caught: [['The service refused it.', bob]], reported: [], sent: [] },
  ],
  [
    'does not send to several recipients if the message cannot be copied',
    ...([sms, answers] as const),
    { config: { inputTo: `${ada}, ${bob}` }, message: damaged },
    {
      ...{ sent: [], performed: [], caught: [] },
      reported: [expect.stringContaining('so nothing was sent.')],
    },
  ],
];

test.each(cases)('%s', async (_, of, perform, { config, ...others }, expected) => {
  const seen = await resultsOf(of, perform, { config: { ...toSomeone, ...config }, ...others });
  expect(seen).toEqual({ ...seen, ...expected });
});

test('the debug sidebar shows the details of a failure', () => {
  let shown = '';
  passToNodeRed(new TelephonyError('input', 'No.', { field: 'from' }), (error) => {
    shown = util.encodeObject({ msg: error }).msg;
  });
  expect(JSON.parse(shown).data).toMatchObject({
    ...{ message: 'No.', code: 'input' },
    cause: '{"field":"from","docs":"docs/troubleshooting.md#input"}',
  });
});
