import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { memoryStore } from '../../../src/builder.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { closeAfterwards } from '../../support/close-afterwards.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { endProgram } from '../../support/start-program.ts';

const admin = 'Bearer the administrator';

/** A store in the memory of this process, which outlives Tiny's processes. */
async function openStore() {
  const store = memoryStore();
  const { url } = await serveHttp(async (request, response) => {
    const [verb, ...values] = JSON.parse(await text(request));
    const result = await store[verb as 'get'](...(values as Parameters<typeof store.get>));
    response.end(JSON.stringify({ result }));
  });
  return { url, entries: () => store.entries() };
}

let program: string;
beforeAll(() => {
  program = bundleProgram('test/adapters/tiny/tiny.ts');
});

/** Starts Tiny in a child process. */
export async function startTiny() {
  const { url: TINY_STORE, entries } = await openStore();
  const output: string[] = [];
  let child: ChildProcess | undefined;
  closeAfterwards({ close: () => child && endProgram(child) });

  async function start(TINY_PORT: string): Promise<string> {
    child = spawn(process.execPath, [program], {
      env: { ...process.env, TINY_STORE, TINY_PORT, TINY_ADMIN: admin },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (said) => output.push(said));
    const [{ url }] = await once(child, 'message');
    return url;
  }

  const url = await start('0');
  const post = async (path: string, form: object, authorization = admin): Promise<string> => {
    const headers = { authorization };
    const options = { method: 'POST', headers, body: JSON.stringify(form) };
    return (await fetch(url + path, options)).text();
  };
  return {
    ...{ url, entries, post, written: () => output.join('') },
    async kill() {
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await start(new URL(url).port);
    },
  };
}
