import { createServer, type IncomingMessage } from 'node:http';
import type { LogStore } from '../../../src/builder.ts';
import { people } from '../../promises/app.ts';
import { telephonyForTiny } from './adapter.ts';
import type { Tiny, TinyPlugin } from './tiny-plugin.ts';

// Tiny, a made-up builder. Its apps have one table, forms and a log. Requests carry JSON, from its administrator or
// from a stranger.

const { TINY_STORE = '', TINY_PORT = '0', TINY_ADMIN = '' } = process.env;

async function call(...verb: unknown[]) {
  const response = await fetch(TINY_STORE, { method: 'POST', body: JSON.stringify(verb) });
  return Object(await response.json()).result;
}

const store: LogStore = {
  get: (...values) => call('get', ...values),
  insert: (...values) => call('insert', ...values),
  swap: (...values) => call('swap', ...values),
  find: (...values) => call('find', ...values),
  clear: (...values) => call('clear', ...values),
  expire: (...values) => call('expire', ...values),
};

const rows: Tiny['rows'] = people.map((person, id) => ({ id, ...person }));

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const server = createServer(async (request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? '';
  try {
    const isPublic = plugin.publicRoutes[path];
    if (isPublic) return await isPublic(request, response);
    if (request.headers.authorization !== TINY_ADMIN) return response.writeHead(401).end();
    const route = plugin.routes[path];
    if (route) return await route(request, response);
    const form = JSON.parse(await textOf(request));
    if (path === '/rows') rows.splice(0, rows.length, ...form);
    const shown = await plugin.forms[path]?.(form);
    response.end(JSON.stringify(shown ?? null));
  } catch (error) {
    response.end(JSON.stringify({ problem: (error as Error).message }));
  }
});

let plugin: TinyPlugin;
server.listen(Number(TINY_PORT), '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const log = (text: string) => console.log(text);
  plugin = telephonyForTiny({ store, url, log, rows, key: 'a key in the environment' });
  process.send?.({ url });
});
