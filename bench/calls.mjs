import { ask, start } from './children.mjs';
import { contenders } from './contenders.mjs';

const operations = ['viewCall', 'sendSms'];
const names = Object.keys(contenders);

async function startAll(url) {
  const started = names.map(async (name) => [name, await start('contender.mjs', [name, url])]);
  return new Map(await Promise.all(started));
}

function emptyFigures() {
  const eachName = () => Object.fromEntries(names.map((name) => [name, []]));
  const eachMeasure = () => ({ cpu: eachName(), latency: eachName(), throughput: eachName() });
  return Object.fromEntries(operations.map((operation) => [operation, eachMeasure()]));
}

/**
 * What one call costs each contender: one at a time, and fifty at a time. Each has a process of its own, and every round
 * asks all of them in turn.
 *
 * @param {string} url the service
 * @param {{ rounds: number, calls: number }} effort
 * @returns figures by operation, measure and contender, one a round: microseconds, and calls per second
 */
export async function measureCalls(url, { rounds, calls }) {
  const running = await startAll(url);
  const figures = emptyFigures();
  const ways = [
    ['oneByOne', calls],
    ['together', calls * 2, 50],
  ];
  async function playRound(isWarmUp) {
    for (const operation of operations)
      for (const [measure, ...args] of ways)
        for (const [name, { child }] of running) {
          const results = await ask(child, { measure, args: [operation, ...args] });
          for (const [figure, value] of Object.entries(isWarmUp ? {} : results))
            figures[operation][figure][name].push(value);
        }
  }
  for (let round = -2; round < rounds; round += 1) await playRound(round < 0);
  for (const { child } of running.values()) child.kill();
  return figures;
}
