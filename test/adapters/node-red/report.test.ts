import { faultOf, lateReport, passToNodeRed } from '../../../plugin/node-red/node/report.ts';
import { type Operation, operation, TelephonyError } from '../../../src/builder.ts';

const sms = operation('send-sms');
const calls = operation('calls-by-caller-id');

const toSomeone = { from: '+14155550100', to: '+12025550143', body: 'Private words' };
const about = '"Send SMS" (From +14155550100, To +12025550143)';

test('an action that ends after its node was closed is reported with its recipient', () => {
  expect(lateReport(sms, toSomeone)).toBe(`${about} succeeded while its node was closed.`);
  expect(lateReport(sms, {})).toBe('"Send SMS" succeeded while its node was closed.');
});

const details = { status: 400, serviceCode: 21211, request: 'POST /Messages.json' };
const rejected = () => new TelephonyError('rejected', 'The service refused it.', details);
const aborted = () => new TelephonyError('aborted', 'The request was aborted.', { field: 'to' });
const mistake = () => new RangeError('A mistake');

interface Reported {
  /** The message for Catch nodes. */
  caught: { name: string; message: string; code: string | undefined; cause: object | undefined };
  /** The line of the log. */
  logged: string;
}

type Case = [
  what: string,
  error: () => Error,
  of: Operation,
  input: Record<string, unknown>,
  isClosing: boolean,
  reported: Reported,
];

const ofUs = (code: string, message: string, logged: string, known: object): Reported => ({
  caught: {
    ...{ name: 'TelephonyError', code, message },
    cause: { ...known, docs: `docs/troubleshooting.md#${code}` },
  },
  logged,
});
const reported = (code: string, message: string, cause: object) =>
  ofUs(code, message, message, cause);
const unexpected: Reported = {
  caught: { name: 'RangeError', message: 'A mistake', code: undefined, cause: undefined },
  logged: 'A mistake',
};

const refused = `${about}: The service refused it.`;
const cases: Case[] = [
  [
    'a failed action',
    ...([rejected, sms, toSomeone, false] as const),
    ofUs('rejected', 'The service refused it.', refused, details),
  ],
  [
    'an action that failed while its node was closing',
    ...([rejected, sms, toSomeone, true] as const),
    reported('rejected', refused, details),
  ],
  [
    'a failed action without values',
    ...([rejected, sms, {}, true] as const),
    reported('rejected', '"Send SMS": The service refused it.', details),
  ],
  [
    'a failed list',
    ...([rejected, calls, { from: '+12025550143' }, false] as const),
    reported('rejected', 'The service refused it.', details),
  ],
  [
    'a stopped action',
    ...([aborted, sms, toSomeone, false] as const),
    reported('aborted', `${about} was not sent: its node was stopped while it waited.`, {
      field: 'to',
    }),
  ],
  [
    'an action whose node was closed',
    ...([aborted, sms, toSomeone, true] as const),
    reported('aborted', `${about} was not sent: its node was closed while it waited.`, {
      field: 'to',
    }),
  ],
  [
    'a stopped list',
    ...([aborted, calls, {}, false] as const),
    reported('aborted', '"Calls by caller id" was not read completely: its node was stopped.', {
      field: 'to',
    }),
  ],
  [
    'a list whose node was closed',
    ...([aborted, calls, {}, true] as const),
    reported('aborted', '"Calls by caller id" was not read completely: its node was closed.', {
      field: 'to',
    }),
  ],
  ['an unexpected error', ...([mistake, sms, toSomeone, false] as const), unexpected],
  [
    'an unexpected error while the node was closing',
    ...([mistake, sms, toSomeone, true] as const),
    unexpected,
  ],
];

test.each(cases)(
  'Catch nodes and the log get the right message for %s',
  (_, error, of, input, isClosing, expected) => {
    let caught: object | undefined;
    let logged = '';
    const isLogged = [
      // Node-RED creates a message for Catch nodes, or a log entry if there are none.
      passToNodeRed(faultOf(error(), of, input, isClosing), (handed) => {
        const { name, code, cause } = handed as NodeJS.ErrnoException;
        const details = cause === undefined ? cause : { ...(cause as object) };
        caught = { name, message: handed?.toString(), code, cause: details };
      }),
      passToNodeRed(faultOf(error(), of, input, isClosing), (handed) => {
        logged = `${handed}`;
      }),
    ];
    expect({ caught, logged }).toStrictEqual(expected);
    expect(isLogged).toEqual([false, true]);
  },
);
