/**
 * Installs the builders of the demo and of the tests, or those that are named, unless they are there. Without names, heavy
 * ones are left out, but in CI.
 */
import type { Builder } from './builder.ts';
import { builders, installBuilder } from './builders.ts';
import { endOnSignals, finish } from './children.mjs';
import { nodeTooOld } from './node-version.mjs';
import { complain, say } from './terminal.mjs';

const named = process.argv.slice(2);

endOnSignals(130);
try {
  for (const [id, builder] of Object.entries<Builder>(builders)) {
    const isWanted = named.length > 0 ? named.includes(id) : !builder.isHeavy || process.env.CI;
    if (!isWanted) continue;
    const tooOld = nodeTooOld(builder.name, builder.folder);
    // The others can be tried and tested all the same.
    if (tooOld) say(tooOld);
    else await installBuilder(builder);
  }
} catch (error) {
  complain(error);
  await finish(1);
}
