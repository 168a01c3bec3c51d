import { ratio, summary } from './statistics.mjs';

const operations = { viewCall: 'View a Call', sendSms: 'Send SMS' };

function callGoals(calls) {
  const rows = [
    ['cpu', 'CPU', 'official', { most: 0.6 }],
    ['cpu', 'CPU', 'plain', { most: 1.7 }],
    ['latency', 'p50 latency', 'plain', { most: 1.5 }],
    ['throughput', 'calls/s, 50 at a time,', 'official', { least: 1.7 }],
  ];
  return rows.flatMap(([measure, label, other, goal]) =>
    Object.entries(operations).map(([operation, name]) => {
      const figures = calls[operation][measure];
      const against = other === 'plain' ? 'node:http' : 'the official client';
      const result = ratio(figures.plugin, figures[other]);
      return { figure: `${label} of ${name} against ${against}`, goal, ...result };
    }),
  );
}

/**
 * What was measured, as ratios beside their goals.
 *
 * @returns {{ figure: string, goal?: { most?: number, least?: number }, median: number, quartiles: number[], range: number[] }[]}
 */
export function goalsOf({ calls, loading, pages, list, size }) {
  const { cpu, plugin, plain } = pages;
  const grows = ({ few, many }) => ratio(many, few);
  const most = (figure, limit, result) => ({ figure, goal: { most: limit }, ...result });
  const { milliseconds, bytes } = loading;
  return [
    ...callGoals(calls),
    most('time to load it', 0.15, ratio(milliseconds.plugin, milliseconds.official)),
    most('memory that loading takes', 0.25, ratio(bytes.plugin, bytes.official)),
    most('size of the one file, KB', 110, summary([size / 1024])),
    most('CPU of a long list against node:http + JSON.parse', 1.4, ratio(cpu.plugin, cpu.plain)),
    most('memory in use, a list against a fifth of it', 1.05, grows(plugin.inUse)),
    most('peak of the process, a list against a fifth of it', 1.05, grows(plugin.peak)),
    { figure: 'the same of node:http + JSON.parse', ...grows(plain.peak) },
    {
      figure: 'requests/s of a list in Saltcorn against a table of SQLite',
      goal: { least: 0.95 },
      ...ratio(list.plugin, list.native),
    },
  ];
}
