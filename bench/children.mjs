import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const running = new Set();

/**
 * Starts a program of this folder, and waits for its first message.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {import('node:child_process').ForkOptions} options
 */
export async function start(script, args = [], options = {}) {
  const child = fork(join(import.meta.dirname, script), args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return { child, message: await messageOf(child, script) };
}

async function messageOf(child, script) {
  const stop = new AbortController();
  const ended = once(child, 'exit', stop).then(([code]) => {
    throw new Error(`${script} ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', stop), ended]);
    return message;
  } finally {
    ended.catch(() => {});
    stop.abort();
  }
}

/** Sends a message to a child, and waits for the answer. */
export function ask(child, question) {
  child.send(question);
  return messageOf(child, 'A contender');
}

export async function endChildren() {
  const children = [...running];
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill();
  await Promise.all(ended);
}
