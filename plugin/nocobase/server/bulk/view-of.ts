import {
  type Action,
  batchCost,
  countsOf,
  problemsOf,
  type RowItem,
} from '../../../../src/index.ts';
import type { RunView } from '../../run-view.ts';
import { itemsOf, type Run, stateOf } from './stored-run.ts';

/** How many are named before it is begun. */
const mostNamed = 10;

/** What is to be seen of a run. */
export function viewOf(action: Action, run: Run, before: Run | undefined): RunView {
  const { fields } = action;
  const items = itemsOf(run);
  const isWaiting = ({ outcome, isPending }: RowItem) => outcome === 'waiting' && !isPending;
  const waiting = items.filter(isWaiting);
  const pending = items.filter(({ isPending }) => isPending).map(({ who }) => who);
  const [{ values = {} } = {}] = waiting;
  const example = fields.flatMap(({ key }) =>
    values[key] === undefined ? [] : [[key, String(values[key])]],
  );
  return {
    ...{ key: run.key, state: stateOf(run), counts: countsOf(items) },
    waiting: waiting.slice(0, mostNamed).map(({ who }) => who),
    example: Object.fromEntries(example),
    ...(pending.length > 0 && { pending }),
    ...(waiting.length > 0 && run.state === 'asked' && { cost: batchCost(action, items) }),
    problems: problemsOf(items),
    done: items.filter(({ outcome }) => outcome === 'done').map(({ who }) => who),
    ...(before && {
      before: {
        ...{ key: before.key, state: stateOf(before), counts: countsOf(itemsOf(before)) },
        startedAt: new Date(Number(before.startedAt)).toISOString(),
      },
    }),
  };
}
