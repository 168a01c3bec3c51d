import { type FastifyInstance, fastify } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { mountMcp } from '../mcp/mcp.ts';

/** Creates the HTTP server of a gateway. */
export function createServer(gateway: Gateway): FastifyInstance {
  const server = fastify();
  server.get('/health', async () => ({ status: 'ok' }));
  mountMcp(server, gateway);
  return server;
}
