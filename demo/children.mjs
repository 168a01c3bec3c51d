import { fork, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { relative } from 'node:path';
import { Advice } from './terminal.mjs';

const running = new Set();
let ending = false;

// Each child leads a process group of its own: Ctrl-C reaches this process only, and a signal to the group reaches
// whatever the child has started too, such as npm's compiler.
const own = { detached: true, windowsHide: true };

function signal(child, name) {
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // All of them have ended.
  }
}

function keep(child) {
  running.add(child);
  const forget = () => running.delete(child);
  child.once('error', forget);
  child.once('exit', forget);
  child.once('exit', () => signal(child, 'SIGKILL'));
  return child;
}

const ended = (child) => new Promise((resolve) => child.once('exit', resolve));

/** Ends every child, and whatever it has started, and waits until they are gone. */
export async function endChildren() {
  ending = true;
  const children = [...running];
  const timer = setTimeout(killChildren, 3_000);
  const all = Promise.all(children.map(ended));
  for (const child of children) signal(child, 'SIGTERM');
  await all;
  clearTimeout(timer);
}

/** Ends every child at once. */
export function killChildren() {
  for (const child of running) signal(child, 'SIGKILL');
}

/** Where to read what a program said. */
export const whereSaid = (who, log) => `What ${who} said is in ${relative(process.cwd(), log)}.`;

/**
 * Runs a program to its end, with its output in a log.
 *
 * @returns {Promise<number>} its exit code
 */
export async function run(command, args, { log, ...options }) {
  const file = await open(log, 'w');
  try {
    const child = keep(
      spawn(command, args, { ...own, ...options, stdio: ['ignore', file.fd, file.fd] }),
    );
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    await file.close();
    // The end of a program that was ended is not worth a report of its own.
    if (ending) await new Promise(() => {});
  }
}

/**
 * Starts a service, and waits until it sends the message that it listens.
 *
 * @param {string} name for people
 * @param {string} script a Node program that sends one message with a `url`
 * @param {object} options `args`, `log`, `execArgv`, `env`, `cwd`
 * @returns {Promise<{ message: object, exit: Promise<number> }>} its message, and its exit code when it ends
 */
export async function serve(name, script, { args, log, ...options }) {
  const file = await open(log, 'a');
  const stdio = ['ignore', file.fd, file.fd, 'ipc'];
  const child = keep(fork(script, args, { ...own, ...options, stdio }));
  await file.close();
  const exit = ended(child).then((code) => (ending ? new Promise(() => {}) : (code ?? 1)));
  const message = new Promise((resolve) => child.once('message', resolve));
  const early = exit.then(() => {
    throw new Advice(`${name} ended while it started. ${whereSaid('it', log)}`);
  });
  return { message: await Promise.race([message, early]), exit };
}
