/**
 * `npm start`: starts a visual app builder with this plugin, and a sandbox of the telephony service.
 *
 * People run it right after cloning, so this file and its imports need only Node. They are the demo's only JavaScript; the rest
 * is loaded once the packages are installed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeTooOld } from './node-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

// A builder may need a newer Node than this repository does.
const named = args
  .map((word) => word.replace('--builder=', ''))
  .filter((word) => existsSync(join(root, 'demo', word, 'package.json')));
const tooOld = [
  nodeTooOld('This', root),
  ...named.map((id) => nodeTooOld(id, join(root, 'demo', id))),
].find((sentence) => sentence !== undefined);

// Imported after the check, because an old Node can't parse it.
if (tooOld === undefined) {
  await installAndRun();
} else {
  console.error(tooOld);
  process.exitCode = 1;
}

async function installAndRun() {
  const { endOnSignals, finish } = await import('./children.mjs');
  const { install } = await import('./npm-ci.mjs');
  const { complain } = await import('./terminal.mjs');
  endOnSignals(0);
  try {
    await install(root, 'Installing the packages of this repository, once');
    const { register } = await import('tsx/esm/api');
    register();
    const { demo } = await import('./demo.ts');
    await demo(args, process.env);
  } catch (error) {
    complain(error);
    await finish(1);
  }
}
