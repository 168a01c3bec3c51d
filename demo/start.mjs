/**
 * `npm start`: a visual app builder with this plugin, and a sandbox of the telephony service for it to talk to.
 *
 * It is the first thing to run after a clone, so it and what it imports before the packages are there need nothing but
 * Node, and are the only JavaScript of the demo.
 */
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// What follows is loaded only after the check: an old Node could not even read it.
if (major > 20 || (major === 20 && minor >= 11)) {
  await installAndRun();
} else {
  console.error(
    `This needs Node 20.11 or newer, and this is ${process.versions.node}. Get one from https://nodejs.org`,
  );
  process.exitCode = 1;
}

async function installAndRun() {
  const { endOnSignals, finish } = await import('./children.mjs');
  const { install } = await import('./npm-ci.mjs');
  const { complain } = await import('./terminal.mjs');
  endOnSignals(0);
  try {
    const root = new URL('..', import.meta.url);
    await install(fileURLToPath(root), 'Installing the packages of this repository, once');
    const { register } = await import('tsx/esm/api');
    register();
    const { demo } = await import('./demo.ts');
    await demo(process.argv.slice(2), process.env);
  } catch (error) {
    complain(error);
    await finish(1);
  }
}
