/**
 * Compares the plugin with what else could be used, and prints tables and, in the end, all figures as JSON:
 *
 *   node --import tsx bench/bench.ts [--quick]
 *
 * `--quick` takes seconds and tells nothing but that everything here still runs.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { builders, installBuilder } from '../demo/builders.ts';
import { install } from '../demo/npm-ci.mjs';
import { efforts } from './effort.ts';
import { buildPrograms } from './programs.ts';

await install(import.meta.dirname, 'Installing what the plugin is compared with, once');
await installBuilder(builders.saltcorn);
execFileSync(process.execPath, [join(import.meta.dirname, '../build.mjs')], { stdio: 'inherit' });
await buildPrograms();

// These need what was installed and built just now.
const { measure } = await import('./measure.ts');
const { goalsOf } = await import('./goals.ts');
const { callTable, goalTable, limitedTable } = await import('./report.ts');

const effort = process.argv.includes('--quick') ? efforts.quick : efforts.full;
const figures = await measure(effort, console.error);
const goals = goalsOf(figures);
console.log(
  `\n${goalTable(goals)}\n\n${callTable(figures.calls)}\n\n${limitedTable(figures.limited)}\n`,
);
console.log(JSON.stringify({ node: process.version, effort, goals, figures }));
