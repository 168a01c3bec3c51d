import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { relative } from 'node:path';
import { say } from './terminal.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();
let ending = false;

/**
 * The options of a child. It leads its own process group, so Ctrl-C reaches only this process, and a signal to the group also
 * reaches the child's own children, such as npm's compiler.
 */
export const own = { detached: true, windowsHide: true };

/** @type {(child: ChildProcess, name: NodeJS.Signals) => void} */
function signal(child, name) {
  try {
    if (process.platform === 'win32') child.kill(name);
    else if (child.pid) process.kill(-child.pid, name);
  } catch {
    // All of them have ended.
  }
}

/**
 * Ends a child, with its own children, when this process ends.
 *
 * @param {ChildProcess} child
 */
export function keep(child) {
  running.add(child);
  const forget = () => running.delete(child);
  child.once('error', forget);
  child.once('exit', forget);
  child.once('exit', () => signal(child, 'SIGKILL'));
  return child;
}

/** @type {(child: ChildProcess) => Promise<number | null>} */
const ended = (child) => new Promise((resolve) => child.once('exit', resolve));

/**
 * Resolves to the exit code of a child that ends by itself, and never if this process ended it.
 *
 * @param {ChildProcess} child
 * @returns {Promise<number>}
 */
export const exitOf = (child) =>
  ended(child).then((code) => (ending ? new Promise(() => {}) : (code ?? 1)));

async function endChildren() {
  ending = true;
  const children = [...running];
  const timer = setTimeout(killChildren, 3_000);
  const all = Promise.all(children.map(ended));
  for (const child of children) signal(child, 'SIGTERM');
  await all;
  clearTimeout(timer);
}

function killChildren() {
  for (const child of running) signal(child, 'SIGKILL');
}

/**
 * Ends every child with its own children, and then this process.
 *
 * @param {number} code
 */
export async function finish(code) {
  await endChildren();
  process.exit(code);
}

/**
 * Ends everything on Ctrl-C, and at once on a second one.
 *
 * @param {number} code the exit code
 */
export function endOnSignals(code) {
  let asked = false;
  const end = () => {
    if (asked) {
      killChildren();
      process.exit(130);
    }
    asked = true;
    say('\nEnding …');
    finish(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
}

/**
 * Returns the sentence that refers to a log.
 *
 * @param {string} log
 */
export const seeLog = (log) => `See ${relative(process.cwd(), log)}.`;

/**
 * Runs a program to its end, with its output in a log.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & { log: string }} options
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
      exitOf(child).then(resolve);
    });
  } finally {
    await file.close();
  }
}
