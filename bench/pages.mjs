import { ask, start } from './children.mjs';

const readers = ['plain', 'plugin'];

async function readOnce(name, url, warmUps) {
  const { child } = await start('reader.mjs', [name]);
  for (let time = 0; time < warmUps; time += 1) await ask(child, { url: `${url}/calls-5000` });
  return { child, read: (count) => ask(child, { url: `${url}/calls-${count}` }) };
}

/**
 * What reading a long list costs: CPU time in readers that are warm, and memory at its most, each time in a process of
 * its own, since a process never forgets its most.
 *
 * @param {string} url the service
 * @param {{ rounds: number, records: number }} effort
 */
export async function measurePages(url, { rounds, records }) {
  const cpu = { plain: [], plugin: [] };
  const peak = { few: [], many: [] };
  const warm = {};
  for (const name of readers) warm[name] = await readOnce(name, url, 3);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of readers) cpu[name].push((await warm[name].read(records)).cpu);
    for (const [size, count] of Object.entries({ few: records / 5, many: records })) {
      const { child, read } = await readOnce('plugin', url, 0);
      peak[size].push((await read(count)).peak);
      child.kill();
    }
  }
  for (const name of readers) warm[name].child.kill();
  return { cpu, peak };
}
