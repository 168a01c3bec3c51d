type Library = typeof import('../../src/index.ts');

/** Starts another process, as far as the plugin can tell: with modules of its own. */
export function startProcess(): Library['connect'] {
  let library: Library | undefined;
  jest.isolateModules(() => {
    library = require('../../src/index.ts');
  });
  return (library as Library).connect;
}
