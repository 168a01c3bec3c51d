import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';

/** Serves MCP over standard input and output until the client ends. */
export async function serveMcp(_gateway: Gateway): Promise<void> {
  throw new Error('Not built yet.');
}

/** Serves MCP over HTTP at a path of the gateway. */
export function mountMcp(_server: FastifyInstance, _gateway: Gateway): void {}
