import { type ForkOptions, fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { exitOf, keep, own, seeLog } from './children.mjs';
import { Advice } from './terminal.mjs';

export interface Service<Message> {
  message: Message;
  /** Resolves to its exit code when it ends. */
  exit: Promise<number>;
}

interface ServiceOptions extends ForkOptions {
  args: string[];
  log: string;
}

/**
 * Starts a service, and waits until it listens.
 *
 * @param name the name that people see
 * @param program a Node program that sends one message with a `url`
 * @param options further options of Node
 * @throws {Advice} if it ends before it listens
 */
export async function startService<Message extends { url: string }>(
  name: string,
  program: string,
  { args, log, ...options }: ServiceOptions,
): Promise<Service<Message>> {
  const file = await open(log, 'a');
  const child = keep(
    fork(program, args, { ...own, ...options, stdio: ['ignore', file.fd, file.fd, 'ipc'] }),
  );
  await file.close();
  const exit = exitOf(child);
  const message = new Promise<Message>((resolve) => {
    child.once('message', (sent) => resolve(sent as Message));
  });
  const early = exit.then(() => {
    throw new Advice(`${name} ended while it started. ${seeLog(log)}`);
  });
  return { message: await Promise.race([message, early]), exit };
}
