import { createRequire } from 'node:module';
import { join } from 'node:path';
import { start } from './children.ts';
import type { Effort } from './effort.ts';
import type { Loaded } from './loader.ts';

type Module = 'plugin' | 'axios' | 'official';

/** One figure per round. */
export type LoadingFigures = Record<keyof Loaded, Record<Module, number[]>>;

const root = join(import.meta.dirname, '..');
const host = join(root, 'demo/saltcorn');

const { resolve } = createRequire(import.meta.url);
const modules: [Module, path: string][] = [
  ['plugin', join(root, 'dist/saltcorn/index.js')],
  ['axios', resolve('axios')],
  ['official', resolve('twilio')],
];

/**
 * Measures the cost of loading in a process that has already loaded Saltcorn's own modules, as when a plugin is installed.
 */
export async function measureLoading({ rounds }: Effort): Promise<LoadingFigures> {
  const eachModule = () => ({ plugin: [], axios: [], official: [] });
  const figures: LoadingFigures = { milliseconds: eachModule(), bytes: eachModule() };
  const env = { ...process.env, NODE_PATH: join(host, 'node_modules') };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, path] of modules) {
      const options = { env, execArgv: ['--expose-gc'] };
      const { message } = await start<Loaded>('loader', [host, path], options);
      figures.milliseconds[name].push(message.milliseconds);
      figures.bytes[name].push(message.bytes);
    }
  return figures;
}
