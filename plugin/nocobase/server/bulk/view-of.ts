import {
  type Action,
  batchCost,
  countsOf,
  problemsOf,
  type RowItem,
} from '../../../../src/builder.ts';
import type { RunView } from '../../run-view.ts';
import type { NocobaseBatch, Previous } from './batch-context.ts';

/** How many are named before it is begun. */
const mostNamed = 10;

/** What a preview never shows. */
const stateOf = ({ state }: NocobaseBatch) => (state === 'choosing' ? 'asked' : state);

/** What is to be seen of a batch. */
export function viewOf(
  action: Action,
  batch: NocobaseBatch,
  { batch: previous, isDeleted }: Previous,
): RunView {
  const { fields } = action;
  const { items } = batch;
  const isWaiting = ({ outcome, isPending }: RowItem) => outcome === 'waiting' && !isPending;
  const waiting = items.filter(isWaiting);
  const pending = items.filter(({ isPending }) => isPending).map(({ who }) => who);
  const [{ values = {} } = {}] = waiting;
  const example = fields.flatMap(({ key }) =>
    values[key] === undefined ? [] : [[key, String(values[key])]],
  );
  return {
    ...{ key: batch.key, state: stateOf(batch), counts: countsOf(items) },
    waiting: waiting.slice(0, mostNamed).map(({ who }) => who),
    example: Object.fromEntries(example),
    ...(pending.length > 0 && { pending }),
    ...(waiting.length > 0 && batch.state === 'asked' && { cost: batchCost(action, items) }),
    problems: problemsOf(items),
    done: items.filter(({ outcome }) => outcome === 'done').map(({ who }) => who),
    ...(previous && {
      previous: {
        ...{ key: previous.key, state: stateOf(previous), counts: countsOf(previous.items) },
        startedAt: new Date(previous.startedAt ?? 0).toISOString(),
      },
    }),
    ...(isDeleted && { isPreviousDeleted: true }),
  };
}
