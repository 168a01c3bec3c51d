/**
 * Sends an SMS to each of some numbers, in a batch whose store is a file: `full-disk-child <store> <path> <settings> <rows> <full>`. Prints
 * the outcomes and their messages once every row has one. Once so many rows were sent, it can't write to files any more, as on a full disk.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileStore } from '../../plugin/node-red/store.ts';
import { batchLimits } from '../../src/batch/batch.ts';
import { connect, type LogStore, openSqliteStore, repairedBatches } from '../../src/builder.ts';
import { startBatch } from './batch-of-sms.ts';

const ignore = () => {};
const stores: Record<string, (path: string) => LogStore> = {
  'Node-RED': (path) =>
    fileStore(path, {
      ...{ warn: ignore, damaged: ignore, rejects: true, repair: repairedBatches },
      most: Number.POSITIVE_INFINITY,
    }),
  SQLite: openSqliteStore,
};

const [name = '', path = '', settings = '', count = '', full = ''] = process.argv.slice(2);
const open = stores[name];
if (!open) throw new Error(`There is no store "${name}".`);
batchLimits.waitForMs = 1_000;

const { rows, shown, isStarted } = await startBatch(
  open(path),
  connect(JSON.parse(settings)),
  Number(count),
);
const countOf = async (...outcomes: string[]) =>
  (await rows()).filter(({ outcome }) => outcomes.includes(outcome)).length;
if (full !== '') {
  while ((await countOf('done')) < Number(full)) await setTimeout(1);
  execFileSync('prlimit', [`--pid=${process.pid}`, '--fsize=0']);
}
while (isStarted && (await countOf('waiting')) > 0) await setTimeout(50);
const ends = (isStarted ? await rows() : shown).map(({ outcome, message }) => ({
  outcome,
  message,
}));
console.log(JSON.stringify(ends));
process.exit();
