import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { HttpsProxyAgent } from 'hpagent';
import { getProxyForUrl } from 'proxy-from-env';
import { oncePer } from '../async/once.ts';
import { isLoopback } from '../settings/check-settings.ts';
import { defaultLimits } from '../settings/limits.ts';
import { proxyError } from './exchanged.ts';

// Shorter than the keep-alive timeout of most servers, so that a request rarely gets a socket that the server is closing.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

/** Connects through a proxy with a CONNECT tunnel. Everything in the tunnel is encrypted. */
class TunnelAgent extends HttpsProxyAgent {
  override createConnection(
    options: RequestOptions,
    onConnected?: (error: Error | null, stream: Duplex) => void,
  ) {
    return super.createConnection(
      { ...options, timeout: defaultLimits.idleTimeoutMs },
      (error, stream) => onConnected?.(error && proxyError(error), stream),
    );
  }
}

function isUsable(proxy: string): boolean {
  try {
    const { protocol, username, password } = new URL(proxy);
    // The proxy gets them decoded. A stray percent sign makes decoding throw.
    for (const part of [username, password]) decodeURIComponent(part);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

const tunnelThrough = oncePer((proxy: string) => {
  if (!isUsable(proxy)) throw proxyError('its address is invalid');
  return new TunnelAgent({ ...agentOptions, proxy });
});

/**
 * Returns the agent for an origin. It connects through the proxy that the environment sets (`HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`,
 * also in lower case), or directly. Requests to this machine never use a proxy, and plain http is allowed only there.
 *
 * @param origin scheme and host
 * @throws a `proxyError` if the address of the proxy is invalid
 */
export function agentFor(origin: string): http.Agent {
  if (!origin.startsWith('https:')) return httpAgent;
  const proxy = isLoopback(new URL(origin)) ? '' : getProxyForUrl(origin);
  return proxy ? tunnelThrough(proxy) : httpsAgent;
}
