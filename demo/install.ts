/** Installs the builders of the demo and of the tests, unless they are there. */
import { builders, installBuilder } from './builders.ts';
import { endOnSignals, finish } from './children.mjs';
import { complain } from './terminal.mjs';

endOnSignals(130);
try {
  for (const builder of Object.values(builders)) await installBuilder(builder);
} catch (error) {
  complain(error);
  await finish(1);
}
