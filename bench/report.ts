import type { BatchesFigures } from './batches.ts';
import type { CallFigures } from './calls.ts';
import type { Measure } from './contender.ts';
import { contenderNames } from './contenders.ts';
import type { GatewayFigures } from './gateway.ts';
import type { Goal, Limit } from './goals.ts';
import type { LimitedFigures } from './limited.ts';
import type { SpendingFigures } from './spending.ts';
import { median, ratio } from './statistics.ts';

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: string[][]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function goalText({ most, least }: Limit = {}) {
  if (most !== undefined) return `<= ${most}`;
  return least === undefined ? '' : `>= ${least}`;
}

const isMet = ({ most = Infinity, least = -Infinity }: Limit, value: number) =>
  value <= most && value >= least;

/** A table of the goals: the median of the rounds, their middle half, and whether the goal is met. */
export const goalTable = (goals: Goal[]) =>
  table(
    ['figure', 'median', 'middle half', 'min to max', 'goal', 'met'],
    goals.map((one) => [
      one.figure,
      number(one.median),
      one.quartiles.map(number).join(' to '),
      one.range.map(number).join(' to '),
      goalText(one.goal),
      one.goal ? (isMet(one.goal, one.median) ? 'yes' : 'no') : '',
    ]),
  );

/** A table of the outcomes of many messages, by client. */
export const limitedTable = (limited: Record<string, LimitedFigures>) =>
  table(
    ['sender', 'time against the least', 'requests refused', 'messages lost'],
    Object.entries(limited).map(([name, { time, refused, lost }]) => [
      name,
      number(time),
      `${(refused * 100).toFixed(1)} %`,
      String(lost),
    ]),
  );

/** A table of what batches cost, by store and number of rows. */
export const batchTable = (batches: BatchesFigures) =>
  table(
    [
      ...['store', 'rows', 'bytes written for each of the rows', 'CPU us per row'],
      ...['rows per second', 'peak MiB'],
    ],
    Object.entries(batches).flatMap(([store, sizes]) =>
      Object.entries(sizes).map(([rows, { written, cpu, perSecond, memory }]) => [
        ...[store, rows, number(written), number(cpu), number(perSecond), number(memory)],
      ]),
    ),
  );

const measures: [Measure, label: string][] = [
  ['cpu', 'CPU us'],
  ['latency', 'p50 us'],
  ['throughput', 'calls/s, 50 at a time'],
];

/** A table of the cost of a call for each contender. */
export function callTable(calls: CallFigures) {
  const rows = Object.entries(calls).flatMap(([operation, figures]) =>
    contenderNames.map((name) => [
      operation,
      name,
      ...measures.flatMap(([measure]) => {
        const own = figures[measure][name];
        return [number(median(own)), number(ratio(own, figures[measure].plain).median)];
      }),
    ]),
  );
  const heads = measures.flatMap(([, label]) => [label, 'against node:http']);
  return table(['operation', 'contender', ...heads], rows);
}

/** A table of the load that the gateway takes, against Fastify alone and the library alone. */
export const gatewayTable = (figures: GatewayFigures) =>
  table(
    [
      ...['operation', 'requests/s', 'against Fastify', 'against the library'],
      ...['p99 ms', 'against Fastify', 'against the library'],
    ],
    Object.entries(figures).map(([operation, { gateway, fastify, library }]) => [
      operation,
      ...(['throughput', 'p99'] as const).flatMap((measure) => [
        number(median(gateway[measure])),
        number(ratio(gateway[measure], fastify[measure]).median),
        number(ratio(gateway[measure], library[measure]).median),
      ]),
    ]),
  );

/** A table of what a message costs with limits, by store and number of recipients. */
export const spendingTable = (spending: SpendingFigures[]) =>
  table(
    [
      ...['store, recipients', 'CPU against no limits', 'us more', 'latency against no limits'],
      ...['us more', 'writes more', 'bytes of a write'],
    ],
    spending.map(({ store, recipients, cpu, latency, writes, bytesOfAWrite }) => [
      ...[`${store}, ${recipients}`, number(cpu.median), cpu.more.toFixed(0)],
      ...[number(latency.median), latency.more.toFixed(0)],
      ...[number(writes), bytesOfAWrite.toFixed(0)],
    ]),
  );
