/** A contender in its own process: `contender <name> <url>`. Runs the measurements that its parent requests. */
import { type Contender, isContenderName, openContender } from './contenders.ts';
import { median } from './statistics.ts';

/** A requested measurement: how many calls of an operation, and how many at a time. */
export interface Question {
  operation: keyof Contender;
  count: number;
  width: number;
}

export type Measure = 'cpu' | 'latency' | 'throughput';

export type Results = { measure: Measure; value: number }[];

const [name = '', url = ''] = process.argv.slice(2);
if (!isContenderName(name)) throw new Error(`There is no contender "${name}".`);
const contender = await openContender(name, url);

function cpuSince(start: NodeJS.CpuUsage) {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** One call at a time; microseconds. */
async function oneByOne({ operation, count }: Question): Promise<Results> {
  const times: number[] = [];
  const start = process.cpuUsage();
  for (let call = 0; call < count; call += 1) {
    const began = performance.now();
    await contender[operation]();
    times.push(performance.now() - began);
  }
  return [
    { measure: 'cpu', value: cpuSince(start) / count },
    { measure: 'latency', value: median(times) * 1000 },
  ];
}

/** Many calls at a time; calls per second. */
async function together({ operation, count, width }: Question): Promise<Results> {
  let left = count;
  const began = performance.now();
  const work = async () => {
    for (; left > 0; left -= 1) await contender[operation]();
  };
  await Promise.all(Array.from({ length: width }, work));
  return [{ measure: 'throughput', value: count / ((performance.now() - began) / 1000) }];
}

process.on('message', async (question: Question) => {
  process.send?.(await (question.width === 1 ? oneByOne : together)(question));
});
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
