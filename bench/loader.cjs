/**
 * Loads a module in a process where a builder runs already: `node --expose-gc loader.cjs <host> <module>`. Its parent
 * gets how long it took, in milliseconds, and how much memory it keeps, in bytes.
 *
 * <host> is the folder of the demo's Saltcorn, which is loaded first.
 */
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [host, name] = process.argv.slice(2);
const requireHost = createRequire(join(host, 'package.json'));

// Saltcorn reads these when it is loaded.
Object.assign(process.env, {
  SQLITE_FILEPATH: ':memory:',
  SALTCORN_FILE_STORE: host,
  SALTCORN_SESSION_SECRET: 'session',
  SALTCORN_JWT_SECRET: 'jwt',
});
// What a Saltcorn that serves pages has loaded.
requireHost('@saltcorn/server/serve');

function bytesInUse() {
  global.gc();
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = bytesInUse();
const began = performance.now();
require(name);
const milliseconds = performance.now() - began;
process.send({ milliseconds, bytes: bytesInUse() - before }, () => process.exit());
