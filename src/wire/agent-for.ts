import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { HttpsProxyAgent } from 'hpagent';
import { getProxyForUrl } from 'proxy-from-env';
import { defaultLimits } from '../settings/limits.ts';
import { proxyFault } from './proxy-fault.ts';

// Idle sockets are closed before servers commonly close them, so that a write seldom meets a dead one.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

/** Connects through a proxy, by a tunnel in which all is encrypted that is meant for the service. */
class TunnelAgent extends HttpsProxyAgent {
  override createConnection(
    options: RequestOptions,
    connected?: (error: Error | null, stream: Duplex) => void,
  ) {
    return super.createConnection(
      { ...options, timeout: defaultLimits.idleTimeoutMs },
      (error, stream) => connected?.(error && proxyFault(error), stream),
    );
  }
}

const tunnels = new Map<string, TunnelAgent>();

function isUsable(proxy: string): boolean {
  try {
    const { protocol, username, password } = new URL(proxy);
    // They are told to the proxy without their encoding, and a percent sign may begin none.
    for (const part of [username, password]) decodeURIComponent(part);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

function tunnelBy(proxy: string): TunnelAgent {
  const known = tunnels.get(proxy);
  if (known) return known;
  if (!isUsable(proxy)) throw proxyFault('its address is invalid');
  const agent = new TunnelAgent({ ...agentOptions, proxy });
  tunnels.set(proxy, agent);
  return agent;
}

/**
 * What connects to an origin: through the proxy that the environment names for it (`HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`, also in
 * lower case), or straight. What is not encrypted is on this machine, and no proxy's business.
 *
 * @param origin scheme and host
 * @throws an error of the proxy when the environment names one that cannot be
 */
export function agentFor(origin: string): http.Agent {
  if (!origin.startsWith('https:')) return httpAgent;
  const proxy = getProxyForUrl(origin);
  return proxy ? tunnelBy(proxy) : httpsAgent;
}
