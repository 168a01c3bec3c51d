import type { CallFigures } from './calls.ts';
import type { Measure } from './contender.ts';
import type { Figures } from './measure.ts';
import type { Growth } from './pages.ts';
import { ratio, type Summary, summary } from './statistics.ts';

/** A measured ratio and its goal. */
export interface Goal extends Summary {
  figure: string;
  goal?: Limit;
}

export interface Limit {
  most?: number;
  least?: number;
}

const operations: [keyof CallFigures, name: string][] = [
  ['viewCall', 'View a Call'],
  ['sendSms', 'Send SMS'],
];

const callRows: [Measure, label: string, other: 'official' | 'plain', Limit][] = [
  ['cpu', 'CPU', 'official', { most: 0.45 }],
  ['cpu', 'CPU', 'plain', { most: 1.6 }],
  ['latency', 'p50 latency', 'plain', { most: 1.5 }],
  ['throughput', 'calls/s, 50 at a time,', 'official', { least: 2 }],
  ['throughput', 'calls/s, 50 at a time,', 'plain', { least: 0.5 }],
];

function callGoals(calls: CallFigures): Goal[] {
  return callRows.flatMap(([measure, label, other, goal]) =>
    operations.map(([operation, name]) => {
      const figures = calls[operation][measure];
      const against = other === 'plain' ? 'node:http' : 'the official client';
      const result = ratio(figures.plugin, figures[other]);
      return { figure: `${label} of ${name} against ${against}`, goal, ...result };
    }),
  );
}

/** The measured ratios with their goals. */
export function goalsOf(figures: Figures): Goal[] {
  const { calls, loading, pages, list, flows, selectedRows, limited, size } = figures;
  const { cpu, plugin, plain } = pages;
  const grows = ({ few, many }: Growth) => ratio(many, few);
  const most = (figure: string, limit: number, result: Summary): Goal => ({
    figure,
    goal: { most: limit },
    ...result,
  });
  const least = (figure: string, limit: number, result: Summary): Goal => ({
    figure,
    goal: { least: limit },
    ...result,
  });
  const { milliseconds, bytes } = loading;
  return [
    ...callGoals(calls),
    most(
      'time to load it against the official client',
      0.6,
      ratio(milliseconds.plugin, milliseconds.official),
    ),
    most('the same against axios alone', 1, ratio(milliseconds.plugin, milliseconds.axios)),
    most('memory that loading takes', 0.45, ratio(bytes.plugin, bytes.official)),
    most('size of the one file, KB', 460, summary([size / 1024])),
    most('CPU of a long list against node:http + JSON.parse', 1.2, ratio(cpu.plugin, cpu.plain)),
    most(
      'time of many messages, 50 of which are taken a second',
      1.1,
      summary([limited.plugin?.time ?? NaN]),
    ),
    most('requests refused of these', 0.02, summary([limited.plugin?.refused ?? NaN])),
    most('messages lost of these', 0, summary([limited.plugin?.lost ?? NaN])),
    most('memory in use, a list against a fifth of it', 1.05, grows(plugin.inUse)),
    most('peak of the process, a list against a fifth of it', 1.05, grows(plugin.peak)),
    { figure: 'the same of node:http + JSON.parse', ...grows(plain.peak) },
    least(
      'requests/s of a list in Saltcorn against a table of SQLite',
      0.95,
      ratio(list.list.plugin, list.list.native),
    ),
    least(
      'the same of a page with three lists and a filter',
      0.9,
      ratio(list.page.plugin, list.page.native),
    ),
    least(
      'messages/s through a node of Node-RED against its HTTP request node',
      1,
      ratio(flows.messages.plugin, flows.messages.core),
    ),
    least(
      'webhooks/s in Node-RED against its HTTP nodes and a file',
      0.3,
      ratio(flows.webhooks.plugin, flows.webhooks.core),
    ),
    ...(selectedRows
      ? [
          most(
            "time of a dialog for 1,000 rows in NocoBase against NocoBase's list of them",
            5,
            ratio(selectedRows.plugin, selectedRows.native),
          ),
        ]
      : []),
  ];
}
