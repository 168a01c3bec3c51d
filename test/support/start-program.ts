import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeAfterwards } from './close-afterwards.ts';

/** How long a program may take to end, in milliseconds. */
const patience = 20_000;

/** Ends a program, by force when it takes too long. */
export async function endProgram(program: ChildProcess): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit');
  const timer = setTimeout(() => program.kill('SIGKILL'), patience);
  program.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

/** Starts a program, which is ended after the tests it was started for. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const program = spawn(command, args, options);
  closeAfterwards({ close: () => endProgram(program) });
  return program;
}
