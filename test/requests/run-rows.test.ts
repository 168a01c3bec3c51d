import { runRows } from '../../src/batch/run-rows.ts';
import {
  type Action,
  definitions,
  type RowItem,
  type RowNote,
  type Telephony,
  TelephonyError,
} from '../../src/builder.ts';
import { parts } from './errors.ts';
import { notesOfRows } from './notes-of-rows.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

// The outcome of a row, and what is recorded in it. `faults/rows.test.ts` tests the messages at the service.

isolate();
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];
const input = { from: '+14155550100', to: '+12025550143', body: 'Row' };

const now = (body: object = {}): ServiceAnswer => ({
  ...{ status: 200, body },
  headers: { date: new Date().toUTCString() },
});
const noMessages = now({ messages: [], next_page_uri: null });
const longAgo = new Date(Date.now() - 3_600_000);
const settings = new TelephonyError('settings', 'Fill it in.');

interface Case {
  name: string;
  note?: RowNote;
  input?: object;
  answers?: ServiceAnswer[];
  open?: () => Promise<Telephony>;
  isStopped?: true;
  outcome: RowItem['outcome'];
  error?: object;
  written?: string[];
}

const unknownOutcome = { code: 'unknown-outcome', message: action.ifUnknown };
const cases: Case[] = [
  {
    name: 'does not change a row whose status it does not know',
    note: { outcome: 'no thanks' },
    outcome: 'failed',
    error: {
      code: 'input',
      message: `The row's status is "no thanks", which the plugin doesn't know, so the row was skipped. Clear the status to run the action.`,
    },
  },
  { name: 'skips a row that was sent', note: { outcome: 'sent' }, outcome: 'already-done' },
  {
    name: 'skips a row that was done',
    note: { outcome: 'done' },
    outcome: 'already-done',
  },
  {
    name: 'cannot check a started row without its start time',
    note: { outcome: 'in progress' },
    outcome: 'unknown',
    error: unknownOutcome,
  },
  {
    name: 'leaves a started row unknown if the batch is stopped',
    note: { outcome: 'in progress', time: longAgo },
    isStopped: true,
    outcome: 'unknown',
    error: unknownOutcome,
  },
  {
    name: 'does not run a waiting row if the batch is stopped',
    isStopped: true,
    outcome: 'not-run',
  },
  {
    name: 'leaves a started row unknown if the account cannot be opened',
    note: { outcome: 'unknown', time: longAgo },
    open: () => Promise.reject(settings),
    outcome: 'unknown',
    error: { code: 'settings', message: 'Fill it in.' },
  },
  {
    name: 'fails a failed row again if the account cannot be opened',
    note: { outcome: 'failed' },
    open: () => Promise.reject(settings),
    outcome: 'failed',
    error: { code: 'settings', message: 'Fill it in.' },
  },
  {
    name: 'never marks a row with invalid input as started',
    input: { ...input, body: '' },
    answers: [now()],
    outcome: 'failed',
    error: {
      ...{ code: 'input', field: 'body' },
      message: '"Body" is missing: the text of the message, up to 1,600 characters.',
    },
  },
  {
    name: 'records a started row as unknown if the message log does not show it',
    note: { outcome: 'in progress', time: longAgo },
    answers: [now(), ...Array(5).fill(noMessages)],
    outcome: 'unknown',
    error: {
      code: 'unknown-outcome',
      message: expect.stringMatching(/^The plugin checked "Account Messages" until .* again\.$/),
    },
    written: ['unknown'],
  },
  {
    name: 'does not record an unknown row again',
    note: { outcome: 'unknown', time: longAgo },
    answers: [now(), ...Array(5).fill(noMessages)],
    outcome: 'unknown',
    error: { code: 'unknown-outcome', message: expect.stringContaining('did not find it') },
  },
];

test.each(cases)('$name', async ({ note, answers = [], open, written = [], ...one }) => {
  const sent = answerWith(answers);
  const recorded = notesOfRows({ row: note });
  const ends: { outcome: RowItem['outcome']; error?: unknown }[] = [];
  const row = { input: one.input ?? input, notes: recorded.notesOf('row') };
  await runRows(action, [row], {
    open: open ?? (async () => telephony()),
    isStopped: async () => one.isStopped === true,
    onResult: (_, end) => ends.push(end),
  });
  const [{ error, ...end } = { outcome: undefined }] = ends;
  expect(end).toEqual({ outcome: one.outcome });
  expect(error && parts(error as TelephonyError)).toEqual(one.error);
  expect(recorded.written).toEqual(written.map((outcome) => ['row', outcome]));
  expect(sent).toHaveLength(answers.length);
});

const busy: [what: string, left: RowNote | undefined, sent: string[], outcome: string][] = [
  ['sends a row that another program has changed in other columns', undefined, ['sent'], 'done'],
  ['skips a row that another program has sent', { outcome: 'sent' }, [], 'already-done'],
];

test.each(busy)('%s, while it could not be changed', async (_, left, sent, outcome) => {
  answerWith([now(), { status: 201, body: { sid: 'SM1' } }]);
  const { notes, written, notesOf } = notesOfRows({});
  const own = notesOf('row');
  let locked = 3;
  const replace: typeof own.replace = async (old, note) => {
    if (locked === 0) return own.replace(old, note);
    locked -= 1;
    if (locked === 0) notes.row = left;
    return false;
  };
  const ends: { outcome: RowItem['outcome']; error?: unknown }[] = [];
  await runRows(action, [{ input, notes: { ...own, replace } }], {
    open: async () => telephony(),
    isStopped: async () => false,
    onResult: (_, end) => ends.push(end),
  });
  expect(ends.map((end) => end.outcome)).toEqual([outcome]);
  expect(written.map(([, word]) => word).filter((word) => word === 'sent')).toEqual(sent);
});

test('many rows whose outcome is checked do not hold up a row to be sent', async () => {
  const started = { outcome: 'unknown', time: longAgo };
  const rows = Array.from({ length: 1_500 }, (_, index) => ({ name: `P${index}`, note: started }));
  let send = () => {};
  const isSent = new Promise<void>((resolve) => {
    send = resolve;
  });
  const account = {
    now: async () => new Date(),
    run: async () => {
      send();
      return { sid: 'SM1' };
    },
    // No check ends before the row was sent.
    confirm: async () => {
      await isSent;
      return { problem: 'Check the log.' };
    },
  } as unknown as Telephony;
  const ends = new Map<string, RowItem['outcome']>();
  const all = [...rows, { name: 'Last', note: undefined }].map(({ name, note }) => ({
    ...{ name, input },
    notes: notesOfRows({ [name]: note }).notesOf(name),
  }));
  await runRows(action, all, {
    open: async () => account,
    isStopped: async () => false,
    onResult: ({ name }, { outcome }) => void ends.set(name, outcome),
  });
  expect(Object.fromEntries(ends)).toEqual({
    ...Object.fromEntries(rows.map(({ name }) => [name, 'unknown'])),
    Last: 'done',
  });
});
