/**
 * Texts rows in a batch, as soon as no other process does: `<url> <store> <place> <rows> <step> <count>`. Prints “started”, and
 * then their outcomes. If a step is given, prints “frozen” and freezes, as a suspended machine does, when it takes it for the nth time:
 * `before insert batch changes`, for example, or `after request`.
 */
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../bench/stores.ts';
import { batchLimits } from '../../src/batch/batch.ts';
import { isLeftToBatch } from '../../src/batch/continue-batch.ts';
import { connect, type LogStore, nodeHttp } from '../../src/builder.ts';
import { startBatch } from '../stores/batch-of-sms.ts';
import { account } from './service.ts';

const [url = '', store = '', place = '', rows, step, count] = process.argv.slice(2);
// As many renewals fit in the lease as usual.
batchLimits.leaseMs /= 5;
batchLimits.renewMs /= 5;

let left = Number(count);
function reach(reached: string): void {
  if (reached !== step) return;
  left -= 1;
  if (left !== 0) return;
  writeSync(1, 'frozen\n');
  process.kill(process.pid, 'SIGSTOP');
}

/** Takes the steps before and after some work. */
async function around<Result>(verb: string, work: () => Promise<Result>): Promise<Result> {
  reach(`before ${verb}`);
  const result = await work();
  reach(`after ${verb}`);
  return result;
}

const open = await openStore(store, place);
const freezing: LogStore = {
  ...open,
  insert: (kind, entry) => around(`insert ${kind}`, () => open.insert(kind, entry)),
  swap: (kind, ...given) => around(`swap ${kind}`, () => open.swap(kind, ...given)),
};
const telephony = connect({
  ...{ ...account, baseUrl: url },
  http: (...given) => around('request', () => nodeHttp(...given)),
});
let batch = await startBatch(freezing, telephony, Number(rows), false);
while (!batch.isStarted && batch.shown.some(isLeftToBatch)) {
  await setTimeout(50);
  batch = await startBatch(freezing, telephony, Number(rows), false);
}
writeSync(1, 'started\n');
while (batch.isStarted && !(await batch.hasEnded())) await setTimeout(50);
const ends = batch.isStarted ? await batch.rows() : batch.shown;
writeSync(1, JSON.stringify(ends.map(({ outcome }) => outcome)));
process.exit();
