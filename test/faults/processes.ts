import { buildSync } from 'esbuild';
import { root } from '../support/root.ts';

type Library = typeof import('../../src/index.ts');

let program: ((module: { exports: object }, load: NodeJS.Require) => void) | undefined;

/** The library as a function, which gives each process its own modules faster than jest loads them. */
function bundled() {
  const { outputFiles } = buildSync({
    ...{ entryPoints: ['src/index.ts'], absWorkingDir: root, write: false },
    ...{
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      // It is large, and keeps nothing.
      external: ['libphonenumber-js/*'],
    },
  });
  return new Function('module', 'require', outputFiles[0]?.text ?? '') as typeof program & object;
}

/** Starts another process, as far as the plugin can tell: with modules of its own. */
export function startProcess(): Library['connect'] {
  program ??= bundled();
  const module = { exports: {} };
  program(module, require);
  return (module.exports as Library).connect;
}
