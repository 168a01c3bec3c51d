import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { startProgram } from '../start-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface BuilderServer {
  url: string;
  /** The folder that keeps everything. */
  home: string;
  /** All that it printed. */
  written(): string;
}

function firstMessage(child: ChildProcess, printed: () => string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${printed()}`)));
  });
}

/**
 * Starts a builder of the demo in a process of its own, with nothing remembered. It ends after the tests it was started
 * for.
 *
 * @param builder the folder of its `serve.ts`
 * @param args of its `serve.ts`, besides `--home`
 * @param env what it finds in the environment besides
 */
export async function serveBuilder(
  builder: string,
  args: string[],
  env: Record<string, string>,
): Promise<BuilderServer> {
  const home = temporaryFolder(builder);
  const program = resolve(__dirname, '../../demo', builder, 'dist/serve.mjs');
  const child = startProgram(process.execPath, [program, '--home', home, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => output.push(text));

  const { url } = await firstMessage(child, () => output.join(''));
  return { url, home, written: () => output.join('') };
}
