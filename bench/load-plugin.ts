import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const built = pathToFileURL(join(import.meta.dirname, '../dist/esm/index.js')).href;

/** The built plugin. */
export const loadPlugin = (): Promise<typeof import('../src/builder.ts')> => import(built);
