import type { Sandbox } from '../../demo/sandbox/index.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../support/reverse-proxy.ts';
import { serveHttp } from '../support/serve-http.ts';
import { password } from './secrets.ts';

/** The service in an app's settings: a sandbox behind a reverse proxy. */
export interface Service {
  sandbox: Sandbox;
  proxy: ReverseProxy;
  /** The settings of an app that uses it. */
  settings: { username: string; password: string; baseUrl: string };
  /** Another host, and the credentials that it received. */
  elsewhere: { url: string; credentials: string[] };
  /** Restores the initial state. */
  reset(): void;
}

export async function openService(): Promise<Service> {
  const opened = Date.now();
  const noon = Date.parse('2026-11-20T12:00:00Z');
  const now = () => new Date(noon + Date.now() - opened);
  const sandbox = await openSandbox({ password, now });
  const proxy = await proxyTo(sandbox.url);
  const { handler } = proxy;
  const credentials: string[] = [];
  const { url } = await serveHttp(({ headers: { authorization } }, answer) => {
    if (authorization !== undefined) credentials.push(authorization);
    answer.setHeader('content-type', 'application/json').end('{}');
  });
  return {
    ...{ sandbox, proxy },
    settings: { username: sandbox.username, password, baseUrl: proxy.url },
    elsewhere: { url, credentials },
    reset: () => {
      sandbox.reset();
      proxy.handler = handler;
      credentials.length = 0;
    },
  };
}
