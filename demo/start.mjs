/**
 * `npm start`: a visual app builder with this plugin, and a sandbox of the telephony service for it to talk to.
 *
 * It is the first thing to run after a clone, so it and what it imports need nothing but Node.
 */
const [major, minor] = process.versions.node.split('.').map(Number);

// What follows is loaded only after the check: an old Node could not even read it.
if (major > 20 || (major === 20 && minor >= 11)) {
  const { demo } = await import('./demo.mjs');
  await demo(process.argv.slice(2), process.env);
} else {
  console.error(
    `This needs Node 20.11 or newer, and this is ${process.versions.node}. Get one from https://nodejs.org`,
  );
  process.exitCode = 1;
}
