/**
 * Installs the named builders of the demo and the tests, if they are missing. Without names, it installs all of them; large ones
 * only in CI.
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
    // The other builders work without this one.
    if (tooOld) say(tooOld);
    else await installBuilder(builder);
  }
} catch (error) {
  complain(error);
  await finish(1);
}
