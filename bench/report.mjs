import { median, ratio } from './statistics.mjs';

const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function goalText({ most, least } = {}) {
  if (most !== undefined) return `<= ${most}`;
  return least === undefined ? '' : `>= ${least}`;
}

const isMet = ({ goal: { most = Infinity, least = -Infinity }, median: value }) =>
  value <= most && value >= least;

/** A table of the goals: the median of the rounds, their middle half, and whether the goal is met. */
export const goalTable = (goals) =>
  table(
    ['figure', 'median', 'middle half', 'min to max', 'goal', 'met'],
    goals.map((one) => [
      one.figure,
      number(one.median),
      one.quartiles.map(number).join(' to '),
      one.range.map(number).join(' to '),
      goalText(one.goal),
      one.goal ? (isMet(one) ? 'yes' : 'no') : '',
    ]),
  );

/** A table of what a call costs every contender. */
export function callTable(calls) {
  const measures = { cpu: 'CPU us', latency: 'p50 us', throughput: 'calls/s, 50 at a time' };
  const rows = Object.entries(calls).flatMap(([operation, figures]) =>
    Object.keys(figures.cpu).map((name) => [
      operation,
      name,
      ...Object.keys(measures).flatMap((measure) => {
        const own = figures[measure][name];
        return [number(median(own)), number(ratio(own, figures[measure].plain).median)];
      }),
    ]),
  );
  const heads = Object.values(measures).flatMap((label) => [label, 'against node:http']);
  return table(['operation', 'contender', ...heads], rows);
}
