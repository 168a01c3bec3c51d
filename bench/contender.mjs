/** One contender in a process of its own: `node contender.mjs <name> <url>`. Measures what its parent asks for. */
import { contenders } from './contenders.mjs';
import { median } from './statistics.mjs';

const [name, url] = process.argv.slice(2);
const contender = await contenders[name](url);

function cpuSince(start) {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** One call at a time; microseconds. */
async function oneByOne(operation, count) {
  const times = [];
  const start = process.cpuUsage();
  for (let call = 0; call < count; call += 1) {
    const began = performance.now();
    await contender[operation]();
    times.push(performance.now() - began);
  }
  return { cpu: cpuSince(start) / count, latency: median(times) * 1000 };
}

/** Many calls at a time; calls per second. */
async function together(operation, count, width) {
  let left = count;
  const began = performance.now();
  const work = async () => {
    for (; left > 0; left -= 1) await contender[operation]();
  };
  await Promise.all(Array.from({ length: width }, work));
  return { throughput: count / ((performance.now() - began) / 1000) };
}

const measures = { oneByOne, together };

process.on('message', async ({ measure, args }) => {
  process.send(await measures[measure](...args));
});
process.once('disconnect', () => process.exit());
process.send({ ready: true });
