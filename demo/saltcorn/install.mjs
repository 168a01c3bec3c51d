/** Installs the Saltcorn of the demo and of the tests, unless it is there: `node demo/saltcorn/install.mjs`. */
import { realpathSync } from 'node:fs';
import { endChildren } from '../children.mjs';
import { install } from '../npm-ci.mjs';
import { complain } from '../terminal.mjs';

export const installSaltcorn = () =>
  install(import.meta.dirname, 'Installing Saltcorn, once: 500 MB, some minutes');

if (realpathSync(process.argv[1]) === import.meta.filename) {
  const stop = () => endChildren().then(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await installSaltcorn().catch((error) => {
    complain(error);
    process.exitCode = 1;
  });
}
