// Aborts an operation at each stage of the list in its argument, the next one once nothing is left open. Prints the error code of
// each, and how long ending took.
import { operations, stages } from './abort-stages.ts';

const left: [stage: string, operation: keyof typeof operations][] = JSON.parse(
  process.argv[2] ?? '',
);

async function next() {
  const [stage, operation] = left.shift() ?? ['', 'read'];
  const code = await stages[stage]?.(operations[operation], (server) => {
    // Only the client's open handles may keep this process alive.
    server.unref();
  });
  const stopped = performance.now();
  // Nothing keeps the process alive, so it would end.
  process.once('beforeExit', () => {
    const milliseconds = Math.round(performance.now() - stopped);
    console.log(JSON.stringify({ stage, operation, code, milliseconds }));
    if (left.length > 0) setImmediate(next);
  });
}
void next();
