/**
 * Compares the plugin with its alternatives, and prints tables, then all figures as JSON:
 *
 *   node --import tsx bench/bench.ts [--quick] [--rate | --batches | --spending | --gateway]
 *
 * `--quick` takes seconds and only checks that the benchmark still runs. `--rate` measures only many messages,
 * `--batches` only batches, `--spending` only limits on what is sent, and `--gateway` only the gateway.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { builders, installBuilder } from '../demo/builders.ts';
import { install } from '../demo/npm-ci.mjs';
import { efforts } from './effort.ts';
import { buildPrograms } from './programs.ts';

const effort = process.argv.includes('--quick') ? efforts.quick : efforts.full;
const isRateOnly = process.argv.includes('--rate');
const isBatchesOnly = process.argv.includes('--batches');
const isSpendingOnly = process.argv.includes('--spending');
const isGatewayOnly = process.argv.includes('--gateway');

await install(import.meta.dirname, 'Installing what the plugin is compared with, once');
if (!isRateOnly && !isBatchesOnly && !isSpendingOnly && !isGatewayOnly)
  for (const builder of [
    ...[builders.saltcorn, builders['node-red']],
    ...(effort.hasNocobase ? [builders.nocobase] : []),
  ])
    await installBuilder(builder);
execFileSync(process.execPath, [join(import.meta.dirname, '../build.mjs')], { stdio: 'inherit' });
await buildPrograms();

// Imported late, because they need the packages and programs from above.
const { measure, measureBatchesOnly, measureGatewayOnly, measureRate } = await import(
  './measure.ts'
);
const { goalsOf } = await import('./goals.ts');
const { batchTable, callTable, gatewayTable, goalTable, limitedTable, spendingTable } =
  await import('./report.ts');
const { measureSpending } = await import('./spending.ts');

async function reportRate() {
  const limited = await measureRate(effort, console.error);
  console.log(`\n${limitedTable(limited)}\n`);
  console.log(JSON.stringify({ node: process.version, effort, figures: { limited } }));
}

async function reportBatches() {
  const batches = await measureBatchesOnly(effort, console.error);
  console.log(`\n${batchTable(batches)}\n`);
  console.log(JSON.stringify({ node: process.version, effort, figures: { batches } }));
}

async function reportSpending() {
  const spending = await measureSpending(effort);
  console.log(`\n${spendingTable(spending)}\n`);
  console.log(JSON.stringify({ node: process.version, effort, figures: { spending } }));
}

async function reportGateway() {
  const gateway = await measureGatewayOnly(effort, console.error);
  console.log(`\n${gatewayTable(gateway)}\n`);
  console.log(JSON.stringify({ node: process.version, effort, figures: { gateway } }));
}

async function reportAll() {
  const figures = {
    ...(await measure(effort, console.error)),
    spending: await measureSpending(effort),
  };
  const goals = goalsOf(figures);
  console.log(
    `\n${goalTable(goals)}\n\n${callTable(figures.calls)}\n\n${gatewayTable(figures.gateway)}\n\n${limitedTable(figures.limited)}\n\n${batchTable(figures.batches)}\n\n${spendingTable(figures.spending)}\n`,
  );
  console.log(JSON.stringify({ node: process.version, effort, goals, figures }));
}

if (isRateOnly) await reportRate();
else if (isBatchesOnly) await reportBatches();
else if (isSpendingOnly) await reportSpending();
else if (isGatewayOnly) await reportGateway();
else await reportAll();
