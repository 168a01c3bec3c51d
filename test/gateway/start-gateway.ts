import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../demo/ports.ts';
import type { Sandbox } from '../support/open-sandbox.ts';
import { startProgram } from '../support/start-program.ts';

/** A gateway in a process of its own. */
export interface GatewayProcess {
  url: string;
  /** Kills it, and starts it again on its port. */
  killAndStart(): Promise<void>;
}

/** The variables of a gateway in a PostgreSQL that allows as much as a test sends. */
export const variablesOf = ({ username, password, url }: Sandbox, databaseUrl: string) => ({
  TELEPHONY_USERNAME: username,
  TELEPHONY_PASSWORD: password,
  TELEPHONY_BASE_URL: url,
  TELEPHONY_PER_HOUR: '1000000',
  TELEPHONY_REQUESTS_PER_MINUTE: '1000000',
  DATABASE_URL: databaseUrl,
});

/** Starts a program that serves a gateway, and waits until it listens. It ends after its tests. */
export async function startGateway(
  program: string,
  variables: NodeJS.ProcessEnv,
): Promise<GatewayProcess> {
  const port = await freePort();
  async function start(): Promise<ChildProcess> {
    const child = startProgram(process.execPath, [program, 'serve'], {
      env: { ...process.env, ...variables, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stderr?.resume();
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    for await (const line of lines) if (line.includes('listening')) break;
    child.stdout?.resume();
    return child;
  }
  let child = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    async killAndStart() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      child = await start();
    },
  };
}
