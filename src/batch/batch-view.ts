import type { Action } from '../../generated/definition-types.ts';
import { recipientField } from '../definition/fields.ts';
import type { ChoiceGap, ChoiceText } from '../list/field-choices.ts';
import { inEnglish, type Say, type Sentence, sentence } from '../text/sentence.ts';
import type { Batch } from './batch.ts';
import { type BatchCost, batchCost } from './batch-cost.ts';
import type { BatchLimits } from './batch-limits.ts';
import type { PreviousBatch } from './batches.ts';
import { type DeliverySummary, deliveryReason, deliverySummary } from './deliveries.ts';
import { isMarked, isToSend, type RowItem } from './row-item.ts';
import {
  confirmedCount,
  countsOf,
  outcomeWord,
  problemsOf,
  type RowCounts,
  type RowProblem,
  type SomeRows,
  skipReason,
  someRows,
} from './row-summary.ts';

type State = Exclude<Batch<unknown>['state'], 'choosing'>;

/** A batch as its owner sees it. Plain data. */
export interface BatchView {
  key: string;
  /** `preview`: its preview is shown. `interrupted`: its process ended. */
  state: State;
  counts: RowCounts;
  /** Whether a click on its preview did not start it, because of another batch. */
  isShownAgain?: true;
  /** Whether it is running, but its owner stopped it. */
  isStopping?: true;
  /** How many minutes the rest of it takes, if that is more than one and it is running. */
  minutesLeft?: number;
  /** The first recipients or rows. */
  waiting: string[];
  /** Rows that an earlier batch started. The account's log is checked for them, and nothing is sent again. */
  pending?: SomeRows;
  /** The values of the first row, by the keys of fields. */
  example: Record<string, string>;
  /** What its values mean, such as the text of a template with its variables, while the preview is shown. */
  texts?: ChoiceText[];
  /** What rows lack of it, while the preview is shown. */
  gaps?: (Omit<ChoiceGap, 'who'> & { rows: SomeRows })[];
  /** The cost, while the preview is shown. */
  cost?: BatchCost;
  /** How many rows are skipped because the batch that this one completes sent them, in a preview. */
  alreadySent?: number;
  /** Whether the service may only send some of these messages later, in a preview. */
  hasScheduled?: true;
  /** How many rows got the same from a complete batch or by itself, in a preview. */
  repeated?: { count: number; isSkipped: boolean };
  /** How many rows an earlier batch of the last day sent something else, in a preview. */
  changed?: { count: number; isSkipped: boolean };
  /** How many rows a button, trigger, workflow or flow of the last day sent something else, in a preview. */
  sentSingly?: { count: number; isSkipped: boolean };
  /** How many numbers are in several rows, and the rows of the first of them, in a preview. */
  sharedNumbers?: { count: number; rows: SomeRows[] };
  /** The limits that it exceeds or uses, in a preview. */
  limits?: BatchLimits;
  /** How many of its messages weren't delivered, if its rows record it. The next batch sends them again. */
  undelivered?: number;
  /** Which of its messages were delivered, when the account's log was last checked for that. */
  deliveries?: DeliverySummary & { checkedAt: string };
  problems: RowProblem[];
  /** The first rows that succeeded. */
  done: string[];
  /** How many of them the log showed to be done before, so that nothing was sent again. */
  confirmed?: number;
  /** The last batch of the same button. */
  previous?: { key: string; startedAt: string; state: State; counts: BatchView['counts'] };
  /** Whether the result of that batch was deleted, and no column records which rows it sent. */
  isPreviousDeleted?: boolean;
}

/** How many recipients or rows a preview names. */
const mostNamed = 10;

/** The rows that share a number with a row to send. */
function sharedNumbers(action: Action, items: RowItem[]): BatchView['sharedNumbers'] {
  if (!recipientField(action)) return undefined;
  const rows = new Map<string, string[]>();
  const reached = new Set(items.filter(isToSend).map(({ to }) => to));
  for (const item of items) {
    const { to, who, outcome } = item;
    if (!to || !reached.has(to) || !(isToSend(item) || outcome === 'duplicate')) continue;
    const same = rows.get(to);
    if (same) same.push(who);
    else rows.set(to, [who]);
  }
  const shared = [...rows.values()].filter(({ length }) => length > 1);
  return shared.length > 0
    ? { count: shared.length, rows: shared.slice(0, mostNamed).map(someRows) }
    : undefined;
}

/** What a preview says of the rows to send. */
function previewOf(
  action: Action,
  { items, cost }: Batch<unknown>,
): Pick<
  BatchView,
  'cost' | 'alreadySent' | 'hasScheduled' | 'repeated' | 'changed' | 'sentSingly' | 'sharedNumbers'
> {
  const toSend = items.filter(isToSend);
  const repeated = items.filter(({ isRepeated }) => isRepeated);
  const changed = items.filter(({ isChanged }) => isChanged);
  const singles = items.filter(({ isSentSingly }) => isSentSingly);
  const decided = (rows: RowItem[]) => ({ count: rows.length, isSkipped: !rows.some(isToSend) });
  const alreadySent = items.filter(
    (item) => item.outcome === 'already-done' && !isMarked(item),
  ).length;
  const shared = sharedNumbers(action, items);
  return {
    ...(shared && { sharedNumbers: shared }),
    ...(toSend.length > 0 && { cost: cost ?? batchCost(action, items) }),
    ...(alreadySent > 0 && { alreadySent }),
    ...(items.some(({ isScheduled, isChanged }) => isScheduled && !isChanged) && {
      hasScheduled: true as const,
    }),
    ...(repeated.length > 0 && { repeated: decided(repeated) }),
    ...(changed.length > 0 && { changed: decided(changed) }),
    ...(singles.length > 0 && { sentSingly: decided(singles) }),
  };
}

const whoOf = (items: RowItem[], fits: (item: RowItem) => boolean | undefined): string[] =>
  items.filter(fits).map(({ who }) => who);

/** Estimates how long the rest of a batch takes, in minutes, by the rows that were sent since its start. */
function minutesLeft({ startedAt }: Batch<unknown>, counts: RowCounts): number | undefined {
  const sent = counts.done + counts.scheduled + counts.unknown;
  // Rows that failed can have failed before the start or after it. If they are the most, the speed is unknown.
  const failed = counts.failed + counts['opted-out'];
  if (startedAt === undefined || sent === 0 || failed > sent) return undefined;
  const minutes = ((Date.now() - startedAt) * counts.waiting) / sent / 60_000;
  return minutes > 1 ? Math.round(minutes) : undefined;
}

const stateOf = ({ state }: Batch<unknown>): State => (state === 'choosing' ? 'preview' : state);

/**
 * Returns a batch as its owner sees it.
 *
 * @param say writes the reasons of its problems in the owner's language
 */
export function batchView(
  action: Action,
  batch: Batch<unknown>,
  {
    batch: previous,
    isDeleted,
    limits,
    texts = [],
    gaps = [],
    ...known
  }: PreviousBatch<unknown> = {},
  say: Say = inEnglish,
): BatchView {
  const { items, checkedAt } = batch;
  const deliveries = checkedAt === undefined ? undefined : deliverySummary(items);
  const undelivered = known.undelivered ?? deliveries?.undelivered ?? 0;
  const listed = (problems: RowProblem[]) =>
    problems.map(({ who, message, ...problem }) => ({
      ...{ ...problem, message: say(message) },
      ...someRows(who),
    }));
  const waiting = items.filter(isToSend);
  const confirmed = confirmedCount(items);
  const counts = countsOf(items);
  const left = batch.state === 'running' ? minutesLeft(batch, counts) : undefined;
  const pending = whoOf(items, ({ isPending }) => isPending);
  const [{ values = {} } = {}] = waiting;
  const example = action.fields.flatMap(({ key }) =>
    values[key] === undefined ? [] : [[key, String(values[key])]],
  );
  return {
    ...{ key: batch.key, state: stateOf(batch), counts },
    ...(left !== undefined && { minutesLeft: left }),
    ...(batch.isShownAgain && { isShownAgain: true as const }),
    ...(batch.isStopping && { isStopping: true as const }),
    waiting: waiting.slice(0, mostNamed).map(({ who }) => who),
    example: Object.fromEntries(example),
    ...(texts.length > 0 && { texts }),
    ...(gaps.length > 0 && {
      gaps: gaps.map(({ who, ...gap }) => ({ ...gap, rows: someRows(who) })),
    }),
    ...(pending.length > 0 && { pending: someRows(pending) }),
    ...(batch.state === 'preview' && previewOf(action, batch)),
    problems: listed(problemsOf(items)),
    ...(deliveries && {
      deliveries: {
        ...{ ...deliveries, problems: listed(deliveries.problems) },
        checkedAt: new Date(checkedAt ?? 0).toISOString(),
      },
    }),
    done: someRows(whoOf(items, ({ outcome }) => outcome === 'done')).who,
    ...(confirmed > 0 && { confirmed }),
    ...(previous && {
      previous: {
        ...{ key: previous.key, state: stateOf(previous), counts: countsOf(previous.items) },
        startedAt: new Date(previous.startedAt ?? 0).toISOString(),
      },
    }),
    ...(limits && { limits }),
    ...(undelivered > 0 && { undelivered }),
    ...(isDeleted && !batch.isRecorded && { isPreviousDeleted: true }),
  };
}

/** A row of a batch as people read it. Texts are empty if there is nothing to say. */
export interface RowView {
  /** The name or number of the row. */
  who: string;
  /** The number that its message goes to, or what else its action is about. */
  recipient: string;
  outcome: string;
  /** Why it is skipped, failed, was not run, or is unknown. */
  reason: string;
  sid: string;
}

/** What the columns of rows are called. */
export const rowColumns: Record<keyof RowView, Sentence> = {
  who: sentence('Row'),
  recipient: sentence('Recipient'),
  outcome: sentence('Outcome'),
  reason: sentence('Reason'),
  sid: { text: 'SID' },
};

/**
 * Returns a row of a batch as people read it.
 *
 * @param say writes the words in the person's language
 */
export function rowView(action: Action, item: RowItem, say: Say): RowView {
  const { who, to = '', message, sid = '' } = item;
  const reason = say(message || deliveryReason(item) || (skipReason(item) ?? ''));
  return { who, recipient: to, outcome: say({ text: outcomeWord(action, item) }), reason, sid };
}
