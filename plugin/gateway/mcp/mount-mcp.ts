import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { purgeHourly } from '../../../src/builder.ts';
import type { Caller, Gateway } from '../gateway.ts';
import { tokens } from './consent.ts';
import { createMcpServer } from './mcp.ts';

/** A client of 2025, which can be asked only while it keeps a session. */
interface Session {
  caller: string;
  transport: WebStandardStreamableHTTPServerTransport;
}

/** The most sessions of a process, and of a caller. The ones that were not used for longest end first. */
const mostSessions = { process: 500, caller: 20 };

const sessionHeader = 'mcp-session-id';

const refusal = (status: number, message: string) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status });

/** Serves clients of 2025, whose sessions belong to this process. */
class Sessions {
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly gateway: Gateway) {}

  #end(id: string) {
    const { transport } = this.#sessions.get(id) ?? {};
    this.#sessions.delete(id);
    return transport?.close();
  }

  #endOldest(caller: string) {
    const own = [...this.#sessions].filter(([, session]) => session.caller === caller);
    const [oldest] = own.length >= mostSessions.caller ? own : this.#sessions;
    const isFull = own.length >= mostSessions.caller || this.#sessions.size >= mostSessions.process;
    if (isFull && oldest) void this.#end(oldest[0]);
  }

  async #open(caller: Caller): Promise<WebStandardStreamableHTTPServerTransport> {
    this.#endOldest(caller.id);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { caller: caller.id, transport });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await createMcpServer(this.gateway, caller).connect(transport);
    return transport;
  }

  async answer(caller: Caller, request: Request, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get(sessionHeader);
    if (id !== null) {
      const session = this.#sessions.get(id);
      if (session?.caller !== caller.id) return refusal(404, 'There is no such session.');
      // Those that are used stay the youngest.
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
      return session.transport.handleRequest(request, { parsedBody });
    }
    if (!isInitializeRequest(parsedBody)) return refusal(400, 'Initialize a session first.');
    return (await this.#open(caller)).handleRequest(request, { parsedBody });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }
}

/** Returns a request as the library takes it. It is aborted if the client leaves. */
function webRequest({ method, url, headers }: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'content-length' ? [] : [[name, String(value)]],
  );
  return new Request(new URL(url, 'http://gateway'), {
    ...{ method, headers: Object.fromEntries(sent), signal: left.signal },
  });
}

/** Serves MCP over HTTP at `/mcp`, with the keys and rights of the gateway. */
export function mountMcp(server: FastifyInstance, gateway: Gateway): void {
  const sessions = new Sessions(gateway);
  // Clients of 2026 have no sessions: each of their requests can go to another process.
  const modern = createMcpHandler(
    ({ authInfo }) => createMcpServer(gateway, authInfo?.extra?.caller as Caller),
    { legacy: 'reject' },
  );

  server.route({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    config: { pauses: true },
    handler: async (request, reply) => {
      const { caller, body } = request;
      const web = webRequest(request, reply);
      const authInfo = { token: '', clientId: caller.id, scopes: [], extra: { caller } };
      if (await isLegacyRequest(web, body))
        return reply.send(await sessions.answer(caller, web, body));
      return reply.send(await modern.fetch(web, { parsedBody: body, authInfo }));
    },
  });
  const stop = purgeHourly(() => tokens(gateway.store).expire());
  server.addHook('preClose', async () => {
    stop();
    await Promise.all([sessions.close(), modern.close()]);
  });
}
