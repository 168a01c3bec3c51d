import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from './root.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Bundles a TypeScript program, so that its processes start fast. Call it once per test file.
 *
 * @param file relative to the repository
 * @returns the bundle's path, removed after the tests
 */
export function bundleProgram(file: string): string {
  const outfile = join(temporaryFolder('program'), 'program.mjs');
  buildSync({
    ...{ entryPoints: [resolve(root, file)], outfile, absWorkingDir: root },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    // Bundled CommonJS packages require Node's modules, which an ES module can't do by itself.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
