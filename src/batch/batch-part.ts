import type { Action } from '../../generated/definition-types.ts';
import { recipientField } from '../definition/fields.ts';
import { isDay } from '../field-types/days.ts';
import { numberText } from '../text/format.ts';
import { type Said, type Sentence, sentence, sentences } from '../text/sentence.ts';
import type { Reading, SkipChoice } from './batch.ts';
import type { BatchView } from './batch-view.ts';
import { showsDelivery } from './deliveries.ts';
import { successWord } from './row-notes.ts';
import {
  allNames,
  batchLabel,
  countsSentences,
  problemInShort,
  problemReason,
  problemText,
  type RowProblem,
  resultSentence,
  rowCount,
  type SomeRows,
} from './row-summary.ts';
import { testLabel } from './test-input.ts';

/** A paragraph of the preview, progress or result of a batch, and what belongs to it. */
export interface BatchSection {
  /** Drawn as a box of this kind; a screen reader announces a result. */
  tone?: 'success' | 'warning' | 'danger';
  isStatus?: true;
  sentences: Said[];
  /** The key of another batch that the sentences are about. */
  batch?: string;
  /** Names, and how many more there are. */
  names?: (string | Sentence)[];
  /** Whether the names are shown only on a click on the sentences. */
  isFolded?: true;
  /** Further lines. */
  lines?: Sentence[];
  /** The labels and values of the first row. */
  example?: [label: Sentence, value: Said][];
  /** A box that decides whether rows are skipped. */
  choice?: { name: keyof SkipChoice; isSkipped: boolean; label: Sentence };
  progress?: { ended: number; all: number };
  /** The user can enter a number, to which the first message is sent. */
  test?: { label: Sentence; button: Sentence; help: Sentence };
  /** The user can look through all rows, page by page, after a click on the sentences. */
  isTable?: true;
}

/** A button below the sections. `close` closes only the dialog. */
export interface BatchButton {
  id: 'start' | 'stop' | 'continue' | 'check' | 'csv' | 'delete' | 'close';
  label: Sentence;
  isPrimary?: true;
  isDisabled?: true;
  /** Shown while a click is carried out. */
  busyLabel?: Sentence;
  /** What to ask before. */
  question?: Sentence;
}

/** The preview, progress or result of a batch, in order. Builders only draw it. */
export interface BatchPart {
  sections: BatchSection[];
  /** The most important one first. */
  buttons: BatchButton[];
}

/** What a builder says in its own words, and what it offers. */
export interface BatchBuilder {
  /** Its name. */
  name: string;
  /** The title of the table of the rows. */
  table?: string | undefined;
  /** Says that its process ended, if another sentence is truer than the usual one. */
  interrupted?: Sentence | undefined;
  /** If rows are left that the user can run. */
  toContinue?: Sentence | undefined;
  /** What to do to repeat a row whose outcome is unknown; completes a sentence. */
  toRepeat(action: Action): Sentence;
  /** Asks before a batch is deleted, if another question is truer than the usual one. */
  toDelete?: Sentence | undefined;
  /** How to decide whether rows are skipped, if they are and if they aren't, in a builder without boxes to tick. */
  skips?: Record<keyof SkipChoice, [skipped: Sentence, included: Sentence]>;
  /** Whether the user may send the first message to any number. */
  mayTest?: boolean;
  /** Whether the user can check what was delivered. */
  checksDelivery?: true;
  /** Whether it shows only texts, next to all rows, so that nothing can be folded. */
  isText?: true;
}

/** How many names a part shows, and how many rows a batch can have until its rows are listed. */
const mostNamed = 10;

type Maybe<Value> = Value | false | undefined | '' | 0;

export const present = <Value>(all: Maybe<Value>[]): Value[] => all.filter(Boolean) as Value[];

/** A paragraph of one sentence. */
const said = (one: Maybe<Sentence>): Maybe<BatchSection> => one && { sentences: [one] };

const nameOf = ({ name }: Action): Sentence => ({ text: name });

const isMessage = ({ batch }: Action) => batch?.outcome !== undefined;

const countedRows = (count: number) =>
  sentence('{count, plural, one {# row} other {# rows}}', { count });

/** The first names, and how many more there are. */
function namesOf(who: string[], count: number, most = mostNamed): (string | Sentence)[] {
  const first = who.slice(0, most);
  const more = count - first.length;
  return more > 0 ? [...first, sentence('and {count} more', { count: more })] : first;
}

const folded = (heading: Sentence, some: SomeRows): BatchSection => ({
  sentences: [heading],
  names: namesOf(some.who, rowCount(some), some.who.length),
  isFolded: true,
});

/** Counts the rows that a batch sends to. For the other waiting ones, only the account's log is checked. */
export const toSendCount = ({ counts, pending }: Pick<BatchView, 'counts' | 'pending'>): number =>
  counts.waiting - (pending ? rowCount(pending) : 0);

/** Returns how many rows have ended, and how many there are without the skipped ones. */
export function progressOf({ counts }: Pick<BatchView, 'counts'>): [ended: number, all: number] {
  const { duplicate: _, 'already-done': __, waiting, ...others } = counts;
  const ended = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [ended, ended + waiting];
}

/** The problems, one for each reason, after what they have in common. Those of many rows are folded. */
function problemSections(
  { problems }: Pick<BatchView, 'problems'>,
  heading: Sentence[],
  isText: boolean,
): BatchSection[] {
  const isLong = ({ who }: RowProblem) => !isText && who.length > mostNamed;
  const short = problems.filter((one) => !isLong(one));
  const lines = short.map(isText ? problemInShort : problemText);
  const long = problems.filter(isLong).map((one) => {
    const rows = countedRows(rowCount(one));
    return folded(sentence('{rows}: {reason}', { rows, reason: problemReason(one) }), one);
  });
  const first = { sentences: heading, ...(lines.length > 0 && { lines }) };
  return [...(heading.length + lines.length > 0 ? [first] : []), ...long];
}

function previousSection(
  action: Action,
  { previous, isPreviousDeleted }: BatchView,
): Maybe<BatchSection> {
  if (isPreviousDeleted)
    return {
      tone: 'warning',
      sentences: [
        sentence(
          "The result of the last batch was deleted, so the plugin can't skip rows that it sent.",
        ),
      ],
    };
  if (!previous) return false;
  const { key, state, counts, startedAt } = previous;
  const time = new Date(startedAt);
  const started =
    state === 'running'
      ? sentence('The last batch started on {time} and is in progress.', { time })
      : sentence('The last batch started on {time}: {counts}.', {
          ...{ time, counts: countsSentences(action, counts) },
        });
  return { tone: 'warning', sentences: [started], batch: key };
}

/** Why the user decides whether to skip rows: the part of the view that counts them, and what it says. */
const decisions: {
  name: keyof SkipChoice;
  rows: 'repeated' | 'changed' | 'sentSingly';
  ofMessages: Sentence;
  ofOthers: Sentence;
}[] = [
  {
    ...{ name: 'skipsSent', rows: 'repeated' },
    ofMessages: sentence('This was already sent to {count} of these rows.'),
    ofOthers: sentence('This already ran for {count} of these rows with the same values.'),
  },
  {
    ...{ name: 'skipsChanged', rows: 'changed' },
    ofMessages: sentence(
      'An earlier batch sent another text to {count} of these rows within the last day.',
    ),
    ofOthers: sentence(
      'An earlier batch ran {count} of these rows with other values within the last day.',
    ),
  },
  {
    ...{ name: 'skipsSentSingly', rows: 'sentSingly' },
    ofMessages: sentence(
      'A button, trigger, workflow or flow sent another text to {count} of these rows within the last day.',
    ),
    ofOthers: sentence(
      'A button, trigger, workflow or flow ran this for {count} of these rows with other values within the last day.',
    ),
  },
];

const scheduledBefore = sentence(
  'This was already sent to, or scheduled for, {count} of these rows.',
);

/** The rows to which something was sent before, and the choice to skip them. */
const choiceSections = (action: Action, view: BatchView, { skips }: BatchBuilder): BatchSection[] =>
  decisions.flatMap(({ name, rows, ofMessages, ofOthers }) => {
    const { count, isSkipped } = view[rows] ?? {};
    if (count === undefined || isSkipped === undefined) return [];
    const isScheduled = rows === 'repeated' && view.hasScheduled;
    const { text } = isScheduled ? scheduledBefore : isMessage(action) ? ofMessages : ofOthers;
    return {
      tone: 'warning',
      sentences: present([{ text, values: { count } }, skips?.[name][isSkipped ? 0 : 1]]),
      choice: { name, isSkipped, label: sentence('Skip these rows') },
    };
  });

function costSection({
  segments,
  recipients,
  senders,
  countries = {},
}: NonNullable<BatchView['cost']>): Maybe<BatchSection> {
  const most = Object.entries(countries).sort(([, one], [, other]) => other - one);
  const [[only = ''] = []] = most;
  const names =
    most.length > 1 ? most.map(([code, count]) => `${code} (${numberText(count)})`) : [only];
  const bill =
    segments !== undefined &&
    sentence(
      'Cost: {segments, plural, one {# SMS segment} other {# SMS segments}} to {recipients, plural, one {# person} other {# people}}.',
      { segments, recipients },
    );
  const sentences = present([
    bill,
    only !== '' &&
      sentence('{count, plural, one {Country} other {Countries}}: {countries}.', {
        ...{ count: most.length, countries: names },
      }),
    senders.length > 0 && sentence('Sender: {senders}.', { senders }),
  ]);
  return sentences.length > 0 && { sentences };
}

const testOf = (action: Action): NonNullable<BatchSection['test']> => ({
  label: { text: testLabel },
  ...(isMessage(action)
    ? {
        button: sentence('Send me a test'),
        help: sentence(
          'Sends the first message to this number only. The rows get theirs when you start the batch.',
        ),
      }
    : {
        button: sentence('Test'),
        help: sentence(
          'Runs the first row with this number instead. The rows run when you start the batch.',
        ),
      }),
});

const nothingLeft = (action: Action): Sentence =>
  isMessage(action)
    ? sentence('Nothing is left to send: all rows are skipped.')
    : sentence('Nothing is left to do: all rows are skipped.');

function toSendSections(
  action: Action,
  view: BatchView,
  { table, mayTest }: BatchBuilder,
): BatchSection[] {
  const count = toSendCount(view);
  if (count === 0) return view.pending ? [] : [{ sentences: [nothingLeft(action)] }];
  const values = { name: nameOf(action), count };
  const example = action.fields.flatMap(({ key, label, type }): [Sentence, Said][] => {
    const value = view.example[key];
    if (value === undefined) return [];
    const isTime = type === 'date' && !isDay(value);
    return [[{ text: label }, isTime ? { time: value } : value]];
  });
  const late: Sentence[] = [];
  for (const { label, text } of view.texts ?? []) {
    if (text === undefined)
      late.push(
        sentence('The service is slow to respond, so “{label}” is not shown.', {
          label: { text: label },
        }),
      );
    else example.push([{ text: label }, text]);
  }
  return present<BatchSection>([
    {
      sentences: [
        table === undefined
          ? sentence('{name} for {count, plural, one {# row} other {# rows}}:', values)
          : sentence('{name} for {count, plural, one {# row} other {# rows}} of “{table}”:', {
              ...{ ...values, table },
            }),
        ...late,
      ],
      names: namesOf(view.waiting, count),
    },
    example.length > 0 && {
      sentences: [isMessage(action) ? sentence('First message:') : sentence('First row:')],
      example,
    },
    view.cost && costSection(view.cost),
    view.limits?.used[0] && { sentences: view.limits.used },
    mayTest && recipientField(action) && { sentences: [], test: testOf(action) },
  ]);
}

/** All rows, if they aren't all named. */
function tableSection({ counts }: BatchView, { isText }: BatchBuilder): Maybe<BatchSection> {
  const count = Object.values(counts).reduce((sum, many) => sum + many, 0);
  if (isText || count <= mostNamed) return false;
  return { sentences: [sentence('All {count} rows', { count })], isTable: true };
}

/** Names the rows with the same number, of which each gets a message of its own, or the same one is sent once. */
const sharedSection = ({ sharedNumbers }: BatchView): Maybe<BatchSection> =>
  sharedNumbers && {
    sentences: [
      sentence(
        '{count, plural, one {# number is} other {# numbers are}} in several of these rows:',
        { count: sharedNumbers.count },
      ),
    ],
    lines: [
      ...sharedNumbers.rows.map(
        (rows): Sentence => ({ text: '{names}', values: { names: allNames(rows) } }),
      ),
      ...present<Sentence>([
        sharedNumbers.count > sharedNumbers.rows.length &&
          sentence('and {count} more', {
            count: sharedNumbers.count - sharedNumbers.rows.length,
          }),
      ]),
    ],
  };

const unknownChoice = sentence(
  'The account has no {label} {value}, so the service refuses {count, plural, one {# row} other {# rows}}:',
);
const missingWithExample = sentence(
  '{count, plural, one {# row has} other {# rows have}} no value for {name}. The service sends the example “{example}” instead:',
);
const missing = sentence(
  '{count, plural, one {# row has} other {# rows have}} no value for {name}:',
);

/** Says which rows lack a value of what they chose, such as a variable of a template, or chose what doesn't exist. */
const gapSections = ({ gaps = [] }: BatchView): BatchSection[] =>
  gaps.map(({ rows, label, value, name, example }) => {
    const count = rowCount(rows);
    const { text } =
      name === undefined ? unknownChoice : example === undefined ? missing : missingWithExample;
    const values = {
      ...{ count, value, label: { text: label } },
      ...(name !== undefined && { name: `{{${name}}}` }),
      ...(example !== undefined && { example }),
    };
    return {
      tone: 'warning',
      sentences: [{ text, values }],
      names: namesOf(rows.who, count),
    };
  });

/** Says how many rows are skipped because they were sent before. */
export const alreadySentSentence = (count: number, hasScheduled = false): Sentence =>
  hasScheduled
    ? sentence('Skipping {count, plural, one {# row} other {# rows}}: already sent or scheduled.', {
        count,
      })
    : sentence('Skipping {count, plural, one {# row} other {# rows}}: already sent.', { count });

function preview(action: Action, view: BatchView, builder: BatchBuilder): BatchPart {
  const { counts, pending, alreadySent, limits } = view;
  const skipped = counts.failed + counts['opted-out'] + counts.unknown;
  const count = toSendCount(view);
  const start = count > 0 ? batchLabel(action, count) : sentence("Check the account's log");
  return {
    sections: present<BatchSection>([
      view.isShownAgain && {
        ...{ tone: 'warning', isStatus: true },
        sentences: [
          sentence(
            'Not started: the rows that are left have changed since you opened this preview, for example through another batch.',
          ),
        ],
      },
      limits?.exceeded[0] && { tone: 'warning', sentences: limits.exceeded },
      previousSection(action, view),
      ...choiceSections(action, view, builder),
      ...gapSections(view),
      ...toSendSections(action, view, builder),
      said(alreadySent && alreadySentSentence(alreadySent, view.hasScheduled)),
      said(
        counts.duplicate &&
          sentence(
            'Skipping {count, plural, one {# row} other {# rows}}: same message as another row.',
            { count: counts.duplicate },
          ),
      ),
      sharedSection(view),
      pending && {
        sentences: [
          sentence(
            "Outcome unknown: {count, plural, one {# row} other {# rows}}. The plugin checks the account's log and sends nothing twice:",
            { count: rowCount(pending) },
          ),
        ],
        names: namesOf(pending.who, rowCount(pending)),
      },
      ...problemSections(
        view,
        present([
          skipped &&
            sentence('Skipping {count, plural, one {# row} other {# rows}}:', { count: skipped }),
        ]),
        builder.isText === true,
      ),
      tableSection(view, builder),
    ]),
    buttons: present<BatchButton>([
      counts.waiting > 0 && { id: 'start', label: start, isPrimary: true },
      { id: 'close', label: counts.waiting > 0 ? sentence('Cancel') : sentence('Close') },
    ]),
  };
}

/** Says how many rows have ended, and how: “2 of 5: 1 sent, 1 failed, 3 waiting”. */
export function progressSentence(action: Action, view: BatchView): Sentence {
  const [ended, all] = progressOf(view);
  const counts = countsSentences(action, view.counts);
  return sentence('{ended} of {all}: {counts}', { ended, all, counts });
}

const timeLeft = ({ minutesLeft, isStopping }: BatchView): Sentence | undefined =>
  minutesLeft === undefined || isStopping
    ? undefined
    : sentence('About {minutes, plural, one {# minute} other {# minutes}} left.', {
        minutes: minutesLeft,
      });

function progress(action: Action, view: BatchView): BatchPart {
  const [ended, all] = progressOf(view);
  const stopping = sentence('Stopping …');
  return {
    sections: [
      {
        isStatus: true,
        sentences: [sentences(progressSentence(action, view), timeLeft(view))],
        progress: { ended, all },
      },
    ],
    buttons: [
      {
        ...{ id: 'stop', label: view.isStopping ? stopping : sentence('Stop') },
        ...{ busyLabel: stopping, ...(view.isStopping && { isDisabled: true as const }) },
      },
    ],
  };
}

/** Whether rows did not run because the user stopped the batch, not because of a problem. */
const isStopped = ({ outcome, message }: RowProblem) => outcome === 'not-run' && !message;

function toneOf({ problems }: BatchView): NonNullable<BatchSection['tone']> {
  if (problems.length === 0) return 'success';
  return problems.every(isStopped) ? 'warning' : 'danger';
}

/** How to repeat rows whose outcome the account's log did not show. */
export const unknownSentence = (action: Action, { toRepeat }: BatchBuilder) =>
  sentence(
    "The next batch checks unknown rows again, but never repeats them. To repeat one that is not in your account's log, {way}.",
    { way: toRepeat(action) },
  );

const interruptedSentence = ({ name }: BatchBuilder) =>
  sentence(
    "{builder} stopped during this batch. If you continue, the plugin skips rows already sent, and checks rows in progress in the account's log first.",
    { builder: name },
  );

/** Which messages were delivered, and why the others weren't. */
function deliverySections({ deliveries }: BatchView, isText: boolean): BatchSection[] {
  if (!deliveries) return [];
  const { checkedAt, problems, ...counts } = deliveries;
  const values = { ...counts, time: new Date(checkedAt) };
  const said = sentence(
    'Delivery on {time}: {delivered} delivered, {undelivered} not delivered, {open} not yet known.',
    values,
  );
  const tone = counts.undelivered > 0 ? 'warning' : 'success';
  return [{ tone, sentences: [said] }, ...problemSections({ problems }, [], isText)];
}

function result(action: Action, view: BatchView, builder: BatchBuilder): BatchPart {
  const { counts, confirmed, state, done, undelivered = 0 } = view;
  const doneCount = counts.done + counts.scheduled;
  const isLeft = state === 'interrupted' || counts['not-run'] > 0;
  const { toContinue, isText, table = '' } = builder;
  return {
    sections: present<BatchSection>([
      said(state === 'interrupted' && (builder.interrupted ?? interruptedSentence(builder))),
      { tone: toneOf(view), isStatus: true, sentences: [resultSentence(action, counts)] },
      said(
        confirmed &&
          sentence(
            "Found in the account's log, so not sent again: {count, plural, one {# row} other {# rows}}.",
            { count: confirmed },
          ),
      ),
      ...deliverySections(view, isText === true),
      !view.deliveries &&
        undelivered > 0 && {
          tone: 'warning',
          sentences: [
            sentence(
              '{count, plural, one {# message was} other {# messages were}} not delivered.',
              {
                count: undelivered,
              },
            ),
          ],
        },
      ...problemSections(view, [], isText === true),
      said(state === 'ended' && counts.unknown > 0 && unknownSentence(action, builder)),
      !isText &&
        doneCount > 0 &&
        folded(
          sentence('{count, plural, one {# row} other {# rows}} {outcome}', {
            count: doneCount,
            outcome: counts.done > 0 ? { text: successWord(action) } : sentence('scheduled'),
          }),
          { who: done, more: doneCount - done.length },
        ),
      tableSection(view, builder),
      said((isLeft || undelivered > 0) && toContinue),
    ]),
    buttons: present<BatchButton>([
      isLeft && { id: 'continue', label: sentence('Continue'), isPrimary: true },
      !isLeft &&
        undelivered > 0 && {
          ...{ id: 'continue', isPrimary: true },
          label: sentence("Retry what wasn't delivered"),
        },
      builder.checksDelivery &&
        showsDelivery(action) &&
        doneCount > 0 &&
        view.deliveries?.open !== 0 && { id: 'check', label: sentence('Check delivery') },
      { id: 'csv', label: sentence('Download as CSV') },
      {
        ...{ id: 'delete', label: sentence('Delete this batch') },
        question:
          builder.toDelete ??
          sentence(
            'Delete this batch? The plugin then no longer knows who got it, so the next batch may send to the same people again. The rows of “{table}” and the messages sent are not deleted.',
            { table },
          ),
      },
      { id: 'close', label: sentence('Close') },
    ]),
  };
}

/** Composes what a batch shows: its preview, progress or result. */
export function batchPart(action: Action, view: BatchView, builder: BatchBuilder): BatchPart {
  if (view.state === 'preview') return preview(action, view, builder);
  return view.state === 'running' ? progress(action, view) : result(action, view, builder);
}

/** Says how many rows of a preview are read. */
export const readingSentence = (ended: number, all: number): Sentence =>
  sentence('Rows read: {ended} of {all}', { ended, all });

/** Says that a preview has no rows because reading them ended. */
export const readingStopped = (builder: string): Said[] => [
  sentence('{builder} stopped while it read the rows. Nothing was sent. Press the button again.', {
    builder,
  }),
];

/** Composes what a batch shows until its rows are read: how many are, or why it ended. */
export function readingPart(reading: Reading, { name }: BatchBuilder): BatchPart {
  const { ended, all, problem, batch, isInterrupted } = reading;
  const why = problem ?? (isInterrupted && readingStopped(name));
  const section: BatchSection = why
    ? { tone: 'danger', sentences: why, ...(batch !== undefined && { batch }) }
    : {
        sentences: [readingSentence(ended, all)],
        progress: { ended, all },
      };
  return {
    sections: [{ ...section, isStatus: true }],
    buttons: [{ id: 'close', label: sentence('Close') }],
  };
}
