import type { Action } from '../../generated/definition-types.ts';
import { TelephonyError } from '../telephony-error.ts';
import { utcText } from '../text/format.ts';
import type { BatchCost } from './batch-cost.ts';
import type { BatchView } from './batch-view.ts';
import type { RowItem } from './row-item.ts';
import {
  allNames,
  countsInWords,
  countsOf,
  isWithoutProblems,
  problemInShort,
  problemsOf,
  problemText,
  rowCount,
  skipReasons,
} from './row-summary.ts';

/** Returns a count and its noun. */
export const counted = (count: number, one: string, other: string): string =>
  `${count} ${count === 1 ? one : other}`;

const rows = (count: number) => counted(count, 'row', 'rows');

/** Describes the cost and the senders of a batch; empty if neither is known. */
export function costText({ segments, recipients, senders }: BatchCost): string {
  const bill =
    segments !== undefined &&
    `Cost: ${counted(segments, 'SMS segment', 'SMS segments')} to ${counted(recipients, 'person', 'people')}.`;
  const sender = senders.length > 0 && `Sender: ${senders.join(', ')}.`;
  return [bill, sender].filter(Boolean).join(' ');
}

/** Says how many rows the log showed to be done before; empty if none. */
export const confirmedText = (count = 0): string =>
  count > 0 ? `Found in the account's log, so not sent again: ${rows(count)}.` : '';

/**
 * Says how to repeat rows whose outcome the account's log did not show; empty if none.
 *
 * @param way what the user does
 */
export const unknownText = ({ counts }: Pick<BatchView, 'counts'>, way: string): string =>
  counts.unknown > 0
    ? `The next batch checks unknown rows again, but never repeats them. To repeat one that is not in your account's log, ${way}.`
    : '';

/** Says how many rows got the same before; empty if none. */
export function repeatedText({ batch }: Action, { repeated }: Pick<BatchView, 'repeated'>): string {
  if (!repeated) return '';
  return batch?.outcome
    ? `This was already sent to ${repeated.count} of these rows.`
    : `This already ran for ${repeated.count} of these rows with the same values.`;
}

/** Says how many rows an earlier batch of the last day sent something else; empty if none. */
export function changedText({ batch }: Action, { changed }: Pick<BatchView, 'changed'>): string {
  if (!changed) return '';
  const what = batch?.outcome
    ? `sent another text to ${changed.count} of these rows`
    : `ran ${changed.count} of these rows with other values`;
  return `An earlier batch ${what} within the last day.`;
}

/** Says to how many rows a button, trigger or workflow sent something else; empty if none. */
export function sentSinglyText(
  { batch }: Action,
  { sentSingly }: Pick<BatchView, 'sentSingly'>,
): string {
  if (!sentSingly) return '';
  const what = batch?.outcome
    ? `sent another text to ${sentSingly.count} of these rows`
    : `ran this for ${sentSingly.count} of these rows with other values`;
  return `A button, trigger or workflow ${what} within the last day.`;
}

/** Says how many rows are skipped, and why; empty if none. */
export const skippedText = (count: number, outcome: keyof typeof skipReasons): string =>
  count > 0 ? `Skipping ${rows(count)}: ${skipReasons[outcome]}.` : '';

function previousText(action: Action, { previous, isPreviousDeleted }: BatchView) {
  if (isPreviousDeleted)
    return "The result of the last batch was deleted, so the plugin can't skip rows that it sent.";
  if (!previous) return false;
  const status =
    previous.state === 'running'
      ? ' and is in progress'
      : `: ${countsInWords(action, previous.counts)}`;
  return `The last batch started on ${utcText(new Date(previous.startedAt))}${status}.`;
}

/** Shows the values of the first row; empty if no row is to be sent. */
function exampleText({ fields, batch }: Action, { example }: BatchView) {
  const values = fields.flatMap(({ key, label }) =>
    example[key] === undefined ? [] : `${label} “${example[key]}”`,
  );
  return (
    values.length > 0 && `${batch?.outcome ? 'First message' : 'First row'}: ${values.join(', ')}`
  );
}

/** The sentences of a builder that say how to go on. */
export interface BuilderTexts {
  /** After the counts of a batch that was stopped. */
  stopped: string;
  /** Before the counts of a batch whose process ended. */
  interrupted: string;
  /** If rows are skipped because they got the same before. */
  sentSkipped: string;
  /** If such rows are not skipped. */
  sentRepeated: string;
  /** If rows are skipped because an earlier batch sent them something else. */
  changedSkipped: string;
  /** If such rows are not skipped. */
  changedSent: string;
  /** What to do to repeat a row whose outcome is unknown. */
  repeatUnknown(action: Action): string;
}

/** Says that a click on the button of a preview did not start it; empty if none. */
export const shownAgainText = ({ isShownAgain }: Pick<BatchView, 'isShownAgain'>): string =>
  isShownAgain
    ? 'Not started: the rows that are left have changed since you opened this preview, for example through another batch.'
    : '';

/** Counts the rows that a batch sends to. For the other waiting ones, only the account's log is checked. */
export const toSendCount = ({ counts, pending }: Pick<BatchView, 'counts' | 'pending'>): number =>
  counts.waiting - (pending ? rowCount(pending) : 0);

function preview(action: Action, view: BatchView, texts: BuilderTexts): (string | false)[] {
  const { counts, waiting, pending, cost, problems } = view;
  const toSend = toSendCount(view);
  const more = toSend - waiting.length;
  const names = more > 0 ? [...waiting, `and ${more} more`] : waiting;
  return [
    shownAgainText(view),
    previousText(action, view),
    toSend > 0 && `${action.name} for ${rows(toSend)}: ${names.join(', ')}.`,
    exampleText(action, view),
    cost ? costText(cost) : false,
    skippedText(view.alreadySent ?? 0, 'already-done'),
    view.repeated !== undefined &&
      `${repeatedText(action, view)} ${view.repeated.isSkipped ? texts.sentSkipped : texts.sentRepeated}`,
    view.changed !== undefined &&
      `${changedText(action, view)} ${view.changed.isSkipped ? texts.changedSkipped : texts.changedSent}`,
    skippedText(counts.duplicate, 'duplicate'),
    pending !== undefined &&
      `Outcome unknown: ${rows(rowCount(pending))}. The plugin checks the account's log and sends nothing twice: ${allNames(pending)}.`,
    ...problems.map((problem) => `Skipping ${problemInShort(problem)}`),
  ];
}

/** Returns the counts as a sentence and, if rows were not run, how to continue. */
const endedText = (action: Action, counts: BatchView['counts'], stopped: string) =>
  [`${countsInWords(action, counts)}.`, counts['not-run'] > 0 && stopped].filter(Boolean).join(' ');

/**
 * Returns the error of a batch that has ended; undefined if no row has a problem.
 *
 * @param texts how to go on, if rows were not run or are unknown
 * @param describe describes rows with the same problem; if not given, with all their names
 */
export function batchError(
  action: Action,
  items: RowItem[],
  { stopped = '', repeatUnknown }: Partial<BuilderTexts> = {},
  describe = problemText,
): TelephonyError | undefined {
  if (isWithoutProblems(items)) return undefined;
  const counts = countsOf(items);
  const { unknown, failed, 'opted-out': optedOut } = counts;
  const lines = [
    endedText(action, counts, stopped),
    ...problemsOf(items).map(describe),
    repeatUnknown ? unknownText({ counts }, repeatUnknown(action)) : '',
  ];
  const code = unknown > 0 ? 'unknown-outcome' : failed + optedOut > 0 ? 'rejected' : 'aborted';
  return new TelephonyError(code, lines.filter(Boolean).join('\n'));
}

/** Returns how many rows have ended, and how many there are without the skipped ones. */
export function progressOf({ counts }: Pick<BatchView, 'counts'>): [ended: number, all: number] {
  const { duplicate: _, 'already-done': __, waiting, ...others } = counts;
  const ended = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [ended, ended + waiting];
}

/** Describes a batch, with one sentence per line. */
export function batchText(action: Action, view: BatchView, texts: BuilderTexts): string {
  const [ended, all] = progressOf(view);
  const result = (stopped = '') => [
    `${action.name}: ${endedText(action, view.counts, stopped)}`,
    confirmedText(view.confirmed),
    // The rows themselves name everyone.
    ...view.problems.map(problemInShort),
  ];
  const lines: Record<BatchView['state'], () => (string | false)[]> = {
    preview: () => preview(action, view, texts),
    running: () => [`${ended} of ${all}: ${countsInWords(action, view.counts)}.`],
    interrupted: () => [texts.interrupted, ...result()],
    ended: () => [...result(texts.stopped), unknownText(view, texts.repeatUnknown(action))],
  };
  return lines[view.state]().filter(Boolean).join('\n');
}
