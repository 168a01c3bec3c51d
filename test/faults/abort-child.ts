// Aborts an operation at a stage, then ends once nothing is left open. Prints the error code, and how long ending took.
import { operations, stages } from './abort-stages.ts';

const [stage = '', operation = ''] = process.argv.slice(2);
const run = operations[operation as keyof typeof operations];
const code = await stages[stage]?.(run, (server) => {
  // Only the client's open handles may keep this process alive.
  server.unref();
});
const stopped = performance.now();
process.on('exit', () => {
  console.log(JSON.stringify({ code, milliseconds: Math.round(performance.now() - stopped) }));
});
