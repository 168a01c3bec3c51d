import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** A builder of the demo with its own process and a new folder. */
export interface Builder {
  url: string;
  /** The folder with its data. */
  home: string;
}

/**
 * Starts a builder of the demo, and ends it and removes its data after some work.
 *
 * @param name the folder of its `serve.ts`
 * @param argsFor returns the arguments of its `serve.ts`, in addition to `--home`
 * @param env further environment variables
 */
export async function atBuilder<T>(
  name: string,
  argsFor: (home: string) => string[] | Promise<string[]>,
  env: Record<string, string>,
  work: (builder: Builder) => Promise<T>,
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'telephony-bench-'));
  const args = ['--home', home, ...(await argsFor(home))];
  const child = fork(join(root, 'demo', name, 'dist/serve.mjs'), args, {
    env: { ...process.env, ...env },
    execArgv: [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = once(child, 'exit');
  try {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
    ]);
    return await work({ url: message.url, home });
  } finally {
    child.kill();
    await ended;
    await rm(home, { recursive: true, force: true });
  }
}
