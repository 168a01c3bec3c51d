import type net from 'node:net';
import { freePort } from '../../demo/ports.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openProxy, type Tunnel } from '../support/proxy.ts';
import { onOtherHost, otherHost, resolveOtherHost } from './other-host.ts';
import { answer, listen, type RawServer } from './raw-server.ts';
import { certificate, sendInChild } from './send-in-child.ts';
import { account, basic } from './service.ts';

resolveOtherHost();

const created = answer(201, JSON.stringify({ sid: 'SM1', status: 'queued' }));

const openService = async (
  reply: (socket: net.Socket, count: number) => void = (socket) => socket.write(created),
  secure = true,
): Promise<RawServer> => {
  const rawServer: RawServer = await listen(
    (socket) => reply(socket, rawServer.received.length),
    secure ? { secure: certificate } : {},
  );
  return closeAfterwards(secure ? onOtherHost(rawServer) : rawServer);
};

const refuse =
  (status: string): Tunnel =>
  (socket) =>
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);

const unreachable = (why: string) =>
  new RegExp(
    `^The plugin cannot reach the service at service\\.test:\\d+ through the proxy: ${why}\\. Check HTTPS_PROXY`,
  );

interface Case {
  name: string;
  tunnel?: Tunnel;
  /** How the service handles a request, given the number of requests. */
  service?: (socket: net.Socket, count: number) => unknown;
  outcomes: string[];
  /** How many tunnels clients requested, and how many requests reached the service. */
  tunnels: number;
  requests: number;
  message?: RegExp;
  idleTimeoutMs?: number;
}

const cases: Case[] = [
  { name: 'a proxy tunnel is reused', outcomes: ['sent', 'sent'], tunnels: 1, requests: 2 },
  {
    name: 'the proxy rejects the credentials',
    tunnel: refuse('407 Proxy Authentication Required'),
    ...{ outcomes: ['unavailable'], tunnels: 2, requests: 0 },
    message: unreachable('it answers 407'),
  },
  {
    name: 'the proxy cannot reach the service',
    tunnel: refuse('502 Bad Gateway'),
    ...{ outcomes: ['unavailable'], tunnels: 2, requests: 0 },
    message: unreachable('it answers 502'),
  },
  {
    name: 'the proxy closes the connection before a tunnel exists',
    tunnel: (socket) => socket.destroy(),
    ...{ outcomes: ['unavailable'], tunnels: 2, requests: 0 },
    message: unreachable('ECONNRESET'),
  },
  {
    name: 'the proxy does not answer',
    ...{ tunnel: () => {}, idleTimeoutMs: 500 },
    ...{ outcomes: ['timeout'], tunnels: 2, requests: 0 },
  },
  {
    name: 'the proxy closes the tunnel before the TLS handshake',
    tunnel: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', () => socket.destroy());
    },
    ...{ outcomes: ['unavailable'], tunnels: 2, requests: 0 },
  },
  {
    name: 'the proxy answers instead of the service',
    tunnel: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', () => socket.write(created));
    },
    ...{ outcomes: ['unavailable'], tunnels: 2, requests: 0 },
  },
  {
    name: 'the tunnel closes after the request',
    service: (socket) => socket.destroy(),
    ...{ outcomes: ['unknown-outcome'], tunnels: 1, requests: 1 },
  },
  {
    name: 'the service does not answer through the tunnel',
    // Only the last message has the short limit, because the first one connects.
    service: (socket, count) => count === 1 && socket.write(created),
    ...{ idleTimeoutMs: 500, outcomes: ['sent', 'unknown-outcome'], tunnels: 1, requests: 2 },
  },
  {
    name: 'a reused tunnel closes after the request',
    service: (socket, count) => (count > 1 ? socket.destroy() : socket.write(created)),
    ...{ outcomes: ['sent', 'unknown-outcome'], tunnels: 1, requests: 2 },
  },
];

test.each(cases)('$name: $outcomes', async ({ tunnel, outcomes, message, ...one }) => {
  const [service, proxy] = await Promise.all([openService(one.service), openProxy(tunnel)]);
  const named = proxy.url.replace('://', '://someone:proxy-Secret-1@');
  const results = await sendInChild(service.url, outcomes.length, {
    environment: { HTTPS_PROXY: named },
    ...(one.idleTimeoutMs && { idleTimeoutMs: one.idleTimeoutMs }),
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(outcomes);
  if (message) expect(results[0]?.message).toMatch(message);
  expect(JSON.stringify(results)).not.toContain('proxy-Secret-1');
  const to = new URL(service.url).host;
  const credentials = `Basic ${Buffer.from('someone:proxy-Secret-1').toString('base64')}`;
  expect(proxy.requested).toEqual(Array(one.tunnels).fill({ to, credentials }));
  expect(service.received).toHaveLength(one.requests);
  for (const { headers } of service.received) {
    expect(headers).toContain(`Authorization: Basic ${basic}`);
    expect(headers).not.toMatch(/proxy/i);
  }
  for (const secret of [basic, account.password, account.username])
    expect(proxy.passed()).not.toContain(secret);
});

const wrong: [what: string, proxy: () => Promise<string>, why: string][] = [
  ['does not listen', async () => `http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
  ['has no valid URL', async () => 'http://:proxy-Secret-1@', 'its address is invalid'],
  [
    'has a bare percent sign in its password',
    async () => 'http://u:50%proxy-Secret-1@127.0.0.1',
    'its address is invalid',
  ],
  ['has an unsupported scheme', async () => 'socks5://127.0.0.1', 'its address is invalid'],
];
test.each(wrong)('nothing is sent through a proxy that %s', async (_, proxy, why) => {
  const service = await openService();
  const results = await sendInChild(service.url, 1, {
    environment: { HTTPS_PROXY: await proxy() },
  });
  expect(results).toEqual([
    { outcome: 'unavailable', message: expect.stringMatching(unreachable(why)) },
  ]);
  expect(JSON.stringify(results)).not.toContain('proxy-Secret-1');
  expect(service.received).toEqual([]);
});

const named: [
  variables: string,
  from: (proxy: string) => Record<string, string>,
  tunnels: number,
][] = [
  ['https_proxy', (https_proxy) => ({ https_proxy }), 1],
  ['ALL_PROXY', (ALL_PROXY) => ({ ALL_PROXY }), 1],
  ['another host in NO_PROXY', (HTTPS_PROXY) => ({ HTTPS_PROXY, NO_PROXY: 'example.com' }), 1],
  [
    'the service in NO_PROXY',
    (HTTPS_PROXY) => ({ HTTPS_PROXY, NO_PROXY: `example.com,${otherHost}` }),
    0,
  ],
  ['every host in no_proxy', (HTTPS_PROXY) => ({ HTTPS_PROXY, no_proxy: '*' }), 0],
  ['HTTP_PROXY', (HTTP_PROXY) => ({ HTTP_PROXY }), 0],
];
test.each(named)(
  'the environment decides whether requests use a proxy: %s',
  async (_, from, tunnels) => {
    const [service, proxy] = await Promise.all([openService(), openProxy()]);
    const results = await sendInChild(service.url, 1, { environment: from(proxy.url) });
    expect(results).toEqual([{ outcome: 'sent' }]);
    expect(proxy.requested).toHaveLength(tunnels);
  },
);

test('unencrypted requests bypass the proxy', async () => {
  const [service, proxy] = await Promise.all([openService(undefined, false), openProxy()]);
  const { url } = proxy;
  const results = await sendInChild(service.url, 1, {
    environment: { HTTP_PROXY: url, ALL_PROXY: url },
  });
  expect(results).toEqual([{ outcome: 'sent' }]);
  expect(proxy.requested).toEqual([]);
});
