import dns from 'node:dns';

/** A name of this machine that the plugin takes for another machine. */
export const otherHost = 'service.test';

/** Resolves the name in this process. */
export function resolveOtherHost() {
  const { lookup } = dns;
  const resolve = (host: string, ...rest: [never, never]) =>
    lookup(host === otherHost ? '127.0.0.1' : host, ...rest);
  Object.assign(dns, { lookup: resolve });
}

/** Gives a server of this machine the name. */
export function onOtherHost<Server extends { url: string }>(server: Server): Server {
  server.url = server.url.replace('127.0.0.1', otherHost);
  return server;
}
