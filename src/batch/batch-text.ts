import type { Action } from '../../generated/definition-types.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { BatchCost } from './batch-cost.ts';
import type { BatchView } from './batch-view.ts';
import type { RowItem } from './row-item.ts';
import {
  countsInWords,
  countsOf,
  countsText,
  isWithoutProblems,
  problemInShort,
  problemsOf,
  problemText,
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

/** Says how many rows are skipped, and why. */
const skipped = (count: number, why: string) => count > 0 && `Skipping ${rows(count)}: ${why}.`;

function previousText(action: Action, { previous, isPreviousDeleted }: BatchView) {
  if (isPreviousDeleted)
    return "The result of the last batch was deleted, so the plugin can't skip rows that it sent.";
  if (!previous) return false;
  const status =
    previous.state === 'running'
      ? ' and is in progress'
      : `: ${countsInWords(action, previous.counts)}`;
  return `The last batch started on ${new Date(previous.startedAt).toUTCString()}${status}.`;
}

function preview(action: Action, view: BatchView): (string | false)[] {
  const { counts, waiting, pending = [], cost, problems } = view;
  const toSend = counts.waiting - pending.length;
  const more = toSend - waiting.length;
  const names = more > 0 ? [...waiting, `and ${more} more`] : waiting;
  return [
    previousText(action, view),
    toSend > 0 && `${action.name} for ${rows(toSend)}: ${names.join(', ')}.`,
    cost ? costText(cost) : false,
    skipped(counts['already-done'], 'already sent'),
    skipped(counts.duplicate, 'same message as another row'),
    pending.length > 0 &&
      `In progress when the last batch ended: ${rows(pending.length)}. The plugin checks the account's log and sends nothing twice: ${pending.join(', ')}.`,
    ...problems.map((problem) => `Skipping ${problemInShort(problem)}`),
  ];
}

/** Returns the error of a batch that has ended; undefined if no row has a problem. */
export function batchError(action: Action, items: RowItem[]): TelephonyError | undefined {
  if (isWithoutProblems(items)) return undefined;
  const { unknown, failed, 'opted-out': optedOut } = countsOf(items);
  const lines = [`${countsText(action, items)}.`, ...problemsOf(items).map(problemText)];
  const code = unknown > 0 ? 'unknown-outcome' : failed + optedOut > 0 ? 'rejected' : 'aborted';
  return new TelephonyError(code, lines.join('\n'));
}

/** Returns how many rows have ended, and how many there are without the skipped ones. */
export function progressOf({ counts }: Pick<BatchView, 'counts'>): [ended: number, all: number] {
  const { duplicate: _, 'already-done': __, waiting, ...others } = counts;
  const ended = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [ended, ended + waiting];
}

/**
 * Describes a batch, with one sentence per line.
 *
 * @param interrupted the sentence for a batch whose process ended, which says how to continue
 */
export function batchText(action: Action, view: BatchView, interrupted: string): string {
  const [ended, all] = progressOf(view);
  const result = () => [
    `${action.name}: ${countsInWords(action, view.counts)}.`,
    confirmedText(view.confirmed),
    ...view.problems.map(problemText),
  ];
  const lines: Record<BatchView['state'], () => (string | false)[]> = {
    preview: () => preview(action, view),
    running: () => [`${ended} of ${all}: ${countsInWords(action, view.counts)}.`],
    interrupted: () => [interrupted, ...result()],
    ended: result,
  };
  return lines[view.state]().filter(Boolean).join('\n');
}
