import { ask, start } from './children.mjs';
import { contenders } from './contenders.mjs';

const operations = ['viewCall', 'sendSms'];

/**
 * What one call costs each contender: one at a time, and fifty at a time. Every round asks all of them in turn.
 *
 * @param {string} url the service
 * @param {{ rounds: number, calls: number, warmUp: number }} effort
 * @returns {Promise<Record<string, Record<string, Record<string, number[]>>>>} figures by operation, measure and
 *   contender: one a round
 */
export async function measureCalls(url, { rounds, calls, warmUp }) {
  const names = Object.keys(contenders);
  const children = {};
  for (const name of names) children[name] = (await start('contender.mjs', [name, url])).child;

  const ways = [
    ['oneByOne', calls],
    ['together', calls * 2, 50],
  ];
  const figures = {};
  const keep = (operation, name, results) => {
    for (const [measure, figure] of Object.entries(results)) {
      const place = ((figures[operation] ??= {})[measure] ??= {});
      (place[name] ??= []).push(figure);
    }
  };
  const ask1 = (name, measure, operation, ...args) =>
    ask(children[name], { measure, args: [operation, ...args] });

  for (const operation of operations)
    for (const name of names) await ask1(name, 'oneByOne', operation, warmUp);
  for (let round = 0; round < rounds; round += 1)
    for (const operation of operations)
      for (const [measure, ...args] of ways)
        for (const name of names)
          keep(operation, name, await ask1(name, measure, operation, ...args));
  for (const name of names) children[name].kill();
  return figures;
}
