/** Installs the builders of the demo and of the tests, unless they are there: `node demo/install.mjs`. */
import { builders, installBuilder } from './builders.mjs';
import { endChildren } from './children.mjs';
import { complain } from './terminal.mjs';

const stop = () => endChildren().then(() => process.exit(130));
process.once('SIGINT', stop).once('SIGTERM', stop);
try {
  for (const builder of Object.values(builders)) await installBuilder(builder);
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
