import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { closeAfterwards } from './close-afterwards.ts';
import { root } from './root.ts';
import { endProgram } from './start-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface BuilderServer {
  url: string;
  /** The folder with its data. */
  home: string;
  /** Its output. */
  written(): string;
  /** The id of its process. */
  pid(): number;
  end(): Promise<void>;
  /**
   * Ends it, and starts it again with the same URL and data.
   *
   * @param pid the process that gets the signal, and whose end ends the builder
   */
  restart(signal: 'SIGTERM' | 'SIGKILL', pid?: number): Promise<void>;
}

function firstMessage(child: ChildProcess, printed: () => string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed()}`)));
  });
}

/**
 * Starts a builder of the demo in a child process. It ends after its tests.
 *
 * @param builder the folder of its `serve.ts`
 * @param args arguments of its `serve.ts`, in addition to `--home`
 * @param env further environment variables
 * @param data a folder whose copy is its data; without data by default
 */
export async function serveBuilder(
  builder: string,
  args: string[],
  env: Record<string, string>,
  data?: string,
): Promise<BuilderServer> {
  const home = temporaryFolder(builder);
  // Keeps the owners of files, unlike Node's copy: PostgreSQL has a user of its own.
  if (data) execFileSync('cp', ['--archive', `${data}/.`, home]);
  const program = join(root, 'demo', builder, 'dist/serve.mjs');
  const output: string[] = [];
  const written = () => output.join('');

  let child: ChildProcess | undefined;
  closeAfterwards({ close: () => child && endProgram(child) });

  async function start(portArgs: string[]) {
    child = spawn(process.execPath, [program, '--home', home, ...portArgs, ...args], {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => output.push(text));
    return await firstMessage(child, written);
  }

  async function end(signal: NodeJS.Signals, pid = child?.pid) {
    if (!child || !pid) return;
    const ended = once(child, 'exit');
    process.kill(pid, signal);
    await ended;
  }

  const { url } = await start([]);
  return {
    ...{ url, home, written },
    pid: () => child?.pid ?? 0,
    end: () => end('SIGTERM'),
    restart: async (signal, pid) => {
      await end(signal, pid);
      await start(['--port', new URL(url).port]);
    },
  };
}
