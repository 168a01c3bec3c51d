import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Advice } from './terminal.mjs';

export const host = '127.0.0.1';

async function probe(port: number) {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
  return port;
}

/** @throws {Advice} if the port is in use */
export async function requirePort(port: number) {
  await probe(port).catch(({ code }) => {
    const reason =
      code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
    throw new Advice(
      `Port ${port} ${reason}. Choose another: npm start -- --port ${port > 65_000 ? port - 100 : port + 100}`,
    );
  });
}

/**
 * A free port. It is below those of outgoing connections, of which one could take it before the
 * program that it is for listens.
 */
export async function freePort(attempts = 50): Promise<number> {
  try {
    return await probe(randomInt(20_000, 32_000));
  } catch (error) {
    if (attempts === 1) throw error;
    return freePort(attempts - 1);
  }
}

/** The preferred port if it is free, otherwise another one. */
export const findPort = (preferred: number) => probe(preferred).catch(() => freePort());
