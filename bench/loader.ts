/**
 * Loads a module in a process that has already loaded a builder: `node --expose-gc loader <host> <module>`.
 *
 * <host> is the folder of the demo's Saltcorn, which is loaded first.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The result for its parent: how long loading took, and how much memory it uses. */
export interface Loaded {
  milliseconds: number;
  bytes: number;
}

const [host = '', path = ''] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const requireHost = createRequire(join(host, 'package.json'));

// Saltcorn reads these while it is loaded.
Object.assign(process.env, {
  SQLITE_FILEPATH: ':memory:',
  SALTCORN_FILE_STORE: host,
  SALTCORN_SESSION_SECRET: 'session',
  SALTCORN_JWT_SECRET: 'jwt',
});
// All modules of a Saltcorn that serves pages.
requireHost('@saltcorn/server/serve');

function bytesInUse() {
  global.gc?.();
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = bytesInUse();
const began = performance.now();
require(path);
const milliseconds = performance.now() - began;
const loaded: Loaded = { milliseconds, bytes: bytesInUse() - before };
process.send?.(loaded, () => process.exit());
