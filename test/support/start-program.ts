import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeAfterwards } from './close-afterwards.ts';

/** How long a program may take to end before it is killed. */
const graceMs = 20_000;

/** Ends a program, and kills it if that takes too long. */
export async function endProgram(program: ChildProcess): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, 'exit');
  const timer = setTimeout(() => program.kill('SIGKILL'), graceMs);
  program.kill('SIGTERM');
  await ended;
  clearTimeout(timer);
}

/** Starts a program. It ends after its tests. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const program = spawn(command, args, options);
  closeAfterwards({ close: () => endProgram(program) });
  return program;
}
