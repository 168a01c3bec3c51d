// Stops an operation at a stage, and then does nothing more: this process ends when nothing is left open. What it
// says is the code of the error and how long it took to end from then on.
import { operations, stages } from './abort-stages.ts';

const [stage = '', operation = ''] = process.argv.slice(2);
const run = operations[operation as keyof typeof operations];
const code = await stages[stage]?.(run, (server) => {
  // Only what the client keeps open may keep this process alive.
  server.unref();
});
const stopped = performance.now();
process.on('exit', () => {
  console.log(JSON.stringify({ code, milliseconds: Math.round(performance.now() - stopped) }));
});
