import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const built = pathToFileURL(join(import.meta.dirname, '../dist/esm/index.js')).href;

/** The plugin as it was built. */
export const loadPlugin = (): Promise<typeof import('../src/builder.ts')> => import(built);
