import { ask, start } from './children.mjs';

const readers = ['plain', 'plugin'];

async function openReader(name, url, execArgv = []) {
  const { child } = await start('reader.mjs', [name], { execArgv });
  const read = (count, options = {}) => ask(child, { url: `${url}/calls-${count}`, options });
  return { read, close: () => child.kill() };
}

/** A process never forgets how much memory it had at its most, so that each reading has one of its own. */
async function readFresh(name, url, count) {
  const usual = await openReader(name, url);
  const { peak } = await usual.read(count);
  usual.close();
  const watched = await openReader(name, url, ['--expose-gc']);
  const { inUse } = await watched.read(count, { watch: true });
  watched.close();
  return { peak, inUse };
}

async function measureMemory(url, name, { rounds, records }) {
  const figures = { peak: { few: [], many: [] }, inUse: { few: [], many: [] } };
  for (let round = 0; round < rounds; round += 1)
    for (const [length, count] of Object.entries({ few: records / 5, many: records })) {
      const { peak, inUse } = await readFresh(name, url, count);
      figures.peak[length].push(peak);
      figures.inUse[length].push(inUse);
    }
  return figures;
}

async function measureCpu(url, { rounds, records }) {
  const figures = { plain: [], plugin: [] };
  const warm = {};
  for (const name of readers) warm[name] = await openReader(name, url);
  for (const name of readers) await warm[name].read(records);
  for (let round = 0; round < rounds; round += 1)
    for (const name of readers) figures[name].push((await warm[name].read(records)).cpu);
  for (const name of readers) warm[name].close();
  return figures;
}

/**
 * What reading a long list costs: CPU time, in readers that are warm, and memory, in fresh ones, for the list and for a
 * fifth of it.
 *
 * @param {string} url the service
 * @param {{ rounds: number, records: number }} effort
 */
export async function measurePages(url, effort) {
  return {
    cpu: await measureCpu(url, effort),
    plugin: await measureMemory(url, 'plugin', effort),
    plain: await measureMemory(url, 'plain', effort),
  };
}
