import type { Sandbox } from '../../demo/sandbox/index.ts';
import { type Door, doorTo } from '../support/door.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { password } from './secrets.ts';

/** The service that an app's settings lead to: a sandbox, at whose door the table can stand. */
export interface Service {
  sandbox: Sandbox;
  door: Door;
  /** The settings that lead to it. */
  settings: { username: string; password: string; baseUrl: string };
  /** Another host, and the credentials that came there. */
  elsewhere: { url: string; heard: string[] };
  /** Makes all as it was. */
  reset(): void;
}

export async function openService(): Promise<Service> {
  const opened = Date.now();
  const noon = Date.parse('2026-11-20T12:00:00Z');
  const now = () => new Date(noon + Date.now() - opened);
  const sandbox = await openSandbox({ password, now });
  const door = await doorTo(sandbox.url);
  const { keeper } = door;
  const heard: string[] = [];
  const { url } = await serveHttp(({ headers: { authorization } }, answer) => {
    if (authorization !== undefined) heard.push(authorization);
    answer.setHeader('content-type', 'application/json').end('{}');
  });
  return {
    ...{ sandbox, door },
    settings: { username: sandbox.username, password, baseUrl: door.url },
    elsewhere: { url, heard },
    reset: () => {
      sandbox.reset();
      door.keeper = keeper;
      heard.length = 0;
    },
  };
}
