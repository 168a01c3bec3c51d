import { buildSync } from 'esbuild';
import { root } from '../support/root.ts';

type Library = typeof import('../../src/index.ts');

type Program = (module: { exports: object }, load: NodeJS.Require) => void;

const programs = new Map<string, Program>();

/** A module as a function, which gives each process its own modules faster than jest loads them. */
function bundled(contents: string): Program {
  const { outputFiles } = buildSync({
    ...{ stdin: { contents, resolveDir: root, loader: 'ts' }, absWorkingDir: root, write: false },
    ...{
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      // It is large, and keeps nothing.
      external: ['libphonenumber-js/*'],
    },
  });
  return new Function('module', 'require', outputFiles[0]?.text ?? '') as Program;
}

/**
 * Loads modules that no other process has, as far as the plugin can tell.
 *
 * @param contents the source of a module in the root folder
 */
export function modulesOf(contents: string): object {
  const program = programs.get(contents) ?? bundled(contents);
  programs.set(contents, program);
  const module = { exports: {} };
  program(module, require);
  return module.exports;
}

/** Starts another process. */
export const startProcess = (): Library['connect'] =>
  (modulesOf("export * from './src/index.ts';") as Library).connect;
