import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Program, programFile } from './programs.ts';

const running = new Set<ChildProcess>();

/**
 * Starts a program of the benchmark, and waits for its first message.
 *
 * @param options further options of `fork`
 */
export async function start<Message>(
  program: Program,
  args: string[] = [],
  options: ForkOptions = {},
) {
  const child = fork(programFile(program), args, { execArgv: [], ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return { child, message: await messageOf<Message>(child, program) };
}

async function messageOf<Message>(child: ChildProcess, program: string): Promise<Message> {
  const stop = new AbortController();
  const ended = once(child, 'exit', stop).then(([code]) => {
    throw new Error(`${program} ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', stop), ended]);
    return message;
  } finally {
    ended.catch(() => {});
    stop.abort();
  }
}

/** Sends a message to a child process, and waits for the response. */
export function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  child.send(question);
  return messageOf(child, 'A contender');
}

export async function endChildren() {
  const children = [...running];
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill();
  await Promise.all(ended);
}
