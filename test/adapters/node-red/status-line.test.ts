import { valuesIn } from '../../../plugin/node-red/locale/server-translator.ts';
import { fillIn } from '../../../plugin/node-red/locale/translate.ts';
import { StatusLine } from '../../../plugin/node-red/node/status-line.ts';
import { inEnglish, type Operation, operation, TelephonyError } from '../../../src/builder.ts';

const fault = (code: TelephonyError['code']) => new TelephonyError(code, 'It failed.');
const blue = (text: string) => ({ fill: 'blue', shape: 'dot', text });
const green = (text: string) => ({ fill: 'green', shape: 'dot', text });
const yellow = (text: string) => ({ fill: 'yellow', shape: 'ring', text });
const red = (text: string) => ({ fill: 'red', shape: 'ring', text });

/** The statuses that a line shows, without repetitions. */
type Step = [update: (line: StatusLine) => void, ...shown: object[]];

const begin = (line: StatusLine) => line.began();
const end = (line: StatusLine) => line.ended();
const endLater = (line: StatusLine) => line.ended(undefined, true);
const fail = (error: unknown) => (line: StatusLine) => line.ended(error);
const send = (count: number, more: boolean) => (line: StatusLine) => line.sent(count, more);
const reset = (line: StatusLine) => line.reset();
const repeat = (times: number, step: (line: StatusLine) => void) => (line: StatusLine) => {
  for (let time = 0; time < times; time += 1) step(line);
};

function check(of: Operation, steps: Step[]) {
  const shown: object[] = [];
  const line = new StatusLine(
    of,
    (text, values) => fillIn(text, valuesIn('en', values)),
    inEnglish,
    (status) => shown.push(status),
  );
  for (const [update, ...expected] of steps) {
    update(line);
    expect(shown.splice(0)).toEqual(expected);
  }
}

const actions: [name: string, steps: Step[]][] = [
  [
    'counts what is done',
    [
      [begin, blue('requesting')],
      [end, green('1 sent')],
      [begin, blue('requesting, 1 sent')],
      [send(1, false)],
      [end, green('2 sent')],
    ],
  ],
  [
    'counts what the service sends later',
    [
      [begin, blue('requesting')],
      [endLater, green('1 scheduled')],
      [begin, blue('requesting, 1 scheduled')],
      [end, green('1 sent, 1 scheduled')],
      [reset, {}],
      [begin, blue('requesting')],
      [end, green('1 sent')],
    ],
  ],
  [
    'counts requests in progress',
    [
      [begin, blue('requesting')],
      [begin, blue('2 requesting')],
      [begin, blue('3 requesting')],
      [end, blue('2 requesting, 1 sent')],
      [end, blue('requesting, 2 sent')],
      [end, green('3 sent')],
    ],
  ],
  [
    'shows a last failure in red and earlier ones in yellow',
    [
      [begin, blue('requesting')],
      [fail(fault('input')), red('1 failed: check the fields')],
      [begin, blue('requesting, 1 failed: check the fields')],
      [end, yellow('1 sent, 1 failed: check the fields')],
      [begin, blue('requesting, 1 sent, 1 failed: check the fields')],
      [fail(new RangeError('A mistake')), red('1 sent, 2 failed: unexpected error')],
    ],
  ],
  [
    'counts unknown outcomes',
    [
      [begin, blue('requesting')],
      [fail(fault('unknown-outcome')), red('1 unknown')],
      [begin, blue('requesting, 1 unknown')],
      [fail(fault('rejected')), red('1 unknown, 1 failed: refused by the service')],
      [begin, blue('requesting, 1 unknown, 1 failed: refused by the service')],
      [end, yellow('1 sent, 1 unknown, 1 failed: refused by the service')],
    ],
  ],
  [
    'shows an earlier unknown outcome in yellow',
    [
      [begin, blue('requesting')],
      [fail(fault('unknown-outcome')), red('1 unknown')],
      [begin, blue('requesting, 1 unknown')],
      [end, yellow('1 sent, 1 unknown')],
    ],
  ],
  [
    'groups the digits of large numbers',
    [
      [
        repeat(1_001, begin),
        ...Array.from({ length: 1_001 }, (_, index) =>
          blue(index === 0 ? 'requesting' : `${(index + 1).toLocaleString('en-US')} requesting`),
        ),
      ],
    ],
  ],
  [
    'clears its counts on a reset',
    [
      [begin, blue('requesting')],
      [end, green('1 sent')],
      [begin, blue('requesting, 1 sent')],
      [fail(fault('input')), red('1 sent, 1 failed: check the fields')],
      [begin, blue('requesting, 1 sent, 1 failed: check the fields')],
      [fail(fault('unknown-outcome')), red('1 sent, 1 unknown, 1 failed: check the fields')],
      [reset, {}],
      [begin, blue('requesting')],
      [end, green('1 sent')],
    ],
  ],
  [
    'keeps requests in progress on a reset',
    [
      [begin, blue('requesting')],
      [begin, blue('2 requesting')],
      [end, blue('requesting, 1 sent')],
      [reset],
      [end, green('1 sent')],
    ],
  ],
  [
    'shows the next status after it was cleared',
    [
      [begin, blue('requesting')],
      [(line) => line.clear(), {}],
      [begin, blue('2 requesting')],
    ],
  ],
];

const lists: [name: string, steps: Step[]][] = [
  [
    'counts records',
    [
      [begin, blue('requesting')],
      [send(0, false), green('0 records')],
      [send(1, false), green('1 record')],
      [send(1_000, true), green('1,000 records, and more')],
      [end],
      [begin, blue('requesting')],
      [end, green('1,000 records, and more')],
    ],
  ],
  [
    'keeps the records sent before a failure',
    [
      [begin, blue('requesting')],
      [send(2, true), green('2 records, and more')],
      [fail(fault('timeout')), red('2 records, and more, 1 failed: no response in time')],
      [begin, blue('requesting, 1 failed: no response in time')],
      [send(3, false), yellow('3 records, 1 failed: no response in time')],
      [end],
    ],
  ],
  [
    'clears its counts on a reset',
    [
      [begin, blue('requesting')],
      [send(2, false), green('2 records')],
      [end],
      [reset, {}],
      [begin, blue('requesting')],
      [end, green('')],
    ],
  ],
];

test('the status of calls counts them', () =>
  check(operation('make-a-call'), [
    [begin, blue('requesting')],
    [end, green('1 call')],
    [begin, blue('requesting, 1 call')],
    [fail(fault('rejected')), red('1 call, 1 failed: refused by the service')],
    [begin, blue('requesting, 1 call, 1 failed: refused by the service')],
    [end, yellow('2 calls, 1 failed: refused by the service')],
  ]));

test.each(actions)('the status of an action %s', (_, steps) => check(operation('send-sms'), steps));
test.each(lists)('the status of a list %s', (_, steps) => check(operation('account-calls'), steps));
