import { createRequire } from 'node:module';
import { join } from 'node:path';
import { start } from './children.mjs';

const root = join(import.meta.dirname, '..');
const host = join(root, 'demo/saltcorn');

const modules = {
  plugin: join(root, 'dist/saltcorn/index.js'),
  axios: createRequire(import.meta.url).resolve('axios'),
  official: createRequire(import.meta.url).resolve('twilio'),
};

/**
 * What loading costs in a process where Saltcorn's own modules are loaded already, as it is when a plugin is installed.
 *
 * @param {{ rounds: number }} effort
 * @returns {Promise<Record<string, Record<string, number[]>>>} by measure and module: one a round
 */
export async function measureLoading({ rounds }) {
  const figures = { milliseconds: {}, bytes: {} };
  const env = { ...process.env, NODE_PATH: join(host, 'node_modules') };
  for (const name of Object.keys(modules)) for (const all of Object.values(figures)) all[name] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [name, path] of Object.entries(modules)) {
      const options = { env, execArgv: ['--expose-gc'] };
      const { message } = await start('loader.cjs', [host, path], options);
      for (const [measure, all] of Object.entries(figures)) all[name].push(message[measure]);
    }
  return figures;
}
