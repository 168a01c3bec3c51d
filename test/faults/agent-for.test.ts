import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { inspect } from 'node:util';
import { freePort } from '../../demo/ports.ts';
import { agentFor } from '../../src/wire/agent-for.ts';
import { proxyErrorReason } from '../../src/wire/exchanged.ts';
import { openProxy, type Tunnel } from '../support/proxy.ts';
import { selfSigned } from './certificate.ts';
import { openRawServer } from './open-raw-server.ts';
import { onOtherHost, otherHost, resolveOtherHost } from './other-host.ts';
import { answer } from './raw-server.ts';

resolveOtherHost();

const certificate = selfSigned();

/** Sets the proxy variables of this process, and deletes all others. */
function setProxies(variables: Record<string, string>) {
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
  Object.assign(process.env, variables);
}

/** Sends a request by the agent of its origin, and returns the status or the reason of its failure. */
async function request(url: string) {
  const { get } = url.startsWith('https:') ? https : http;
  try {
    const sent = get(url, { agent: agentFor(new URL(url).origin), ca: certificate.cert });
    const [response]: IncomingMessage[] = await once(sent, 'response');
    for await (const _ of response ?? []);
    return { status: response?.statusCode };
  } catch (error) {
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('proxy-Secret-1');
    const { code = '', message } = error as NodeJS.ErrnoException;
    return { message, reason: proxyErrorReason(code) };
  }
}

async function openService(secure = true) {
  const options = secure ? { secure: certificate } : {};
  const service = await openRawServer((socket) => socket.write(answer(200, 'x')), options);
  return secure ? onOtherHost(service) : service;
}

const host = '127.0.0.1';

const routes: [environment: (proxy: string) => Record<string, string>, tunnels: number][] = [
  [() => ({}), 0],
  [(HTTPS_PROXY) => ({ HTTPS_PROXY }), 1],
  [(https_proxy) => ({ https_proxy }), 1],
  [(ALL_PROXY) => ({ ALL_PROXY }), 1],
  [(all_proxy) => ({ all_proxy }), 1],
  [(HTTP_PROXY) => ({ HTTP_PROXY }), 0],
  [(http_proxy) => ({ http_proxy }), 0],
  [(HTTPS_PROXY) => ({ HTTPS_PROXY, ALL_PROXY: 'http://127.0.0.1:1' }), 1],
  [(HTTPS_PROXY) => ({ HTTPS_PROXY, NO_PROXY: 'example.com' }), 1],
  [(HTTPS_PROXY) => ({ HTTPS_PROXY, NO_PROXY: `${otherHost}:1` }), 1],
  [(HTTPS_PROXY) => ({ HTTPS_PROXY, NO_PROXY: `example.com,${otherHost}` }), 0],
  [(HTTPS_PROXY) => ({ HTTPS_PROXY, no_proxy: otherHost }), 0],
  [(ALL_PROXY) => ({ ALL_PROXY, NO_PROXY: otherHost }), 0],
  [(https_proxy) => ({ https_proxy, no_proxy: '*' }), 0],
];

test.each(
  routes.map(([environment, tunnels]) => ({ named: environment('PROXY'), environment, tunnels })),
)(
  'with the environment $named, requests open $tunnels tunnels',
  async ({ environment, tunnels }) => {
    const [secured, plain, proxy] = await Promise.all([
      openService(),
      openService(false),
      openProxy(),
    ]);
    setProxies(environment(proxy.url));
    // The third request reuses the connection, or tunnel, of the first one.
    for (const service of [secured, plain, secured])
      expect(await request(service.url)).toEqual({ status: 200 });
    const to = new URL(secured.url).host;
    expect(proxy.requested).toEqual(Array(tunnels).fill({ to, credentials: undefined }));
    expect([secured.received.length, secured.connections]).toEqual([2, 1]);
  },
);

test.each(['https://localhost', 'https://127.0.0.1:8443', 'https://[::1]:8443'])(
  'requests to this machine use no proxy: %s',
  (origin) => {
    setProxies({});
    const direct = agentFor(origin);
    setProxies({ HTTPS_PROXY: 'http://127.0.0.1:1' });
    const isDirect = (one: string) => agentFor(one) === direct;
    expect([origin, `https://${otherHost}`].map(isDirect)).toEqual([true, false]);
  },
);

test('each proxy gets its own decoded credentials', async () => {
  const [service, ...proxies] = await Promise.all([openService(), openProxy(), openProxy()]);
  for (const [index, { url }] of proxies.entries()) {
    setProxies({ HTTPS_PROXY: url.replace('://', `://some%20one:${index}%25@`) });
    expect(await request(service.url)).toEqual({ status: 200 });
  }
  const to = new URL(service.url).host;
  const basic = (index: number) => `Basic ${Buffer.from(`some one:${index}%`).toString('base64')}`;
  expect(proxies.map(({ requested }) => requested)).toEqual([
    [{ to, credentials: basic(0) }],
    [{ to, credentials: basic(1) }],
  ]);
});

const opens =
  (tunnel: Tunnel): (() => Promise<string>) =>
  async () =>
    (await openProxy(tunnel)).url;
const encrypted = async () => (await openService()).url.replace(otherHost, 'localhost');

const ofProxy = (reason: string) => ({ message: reason, reason });
const unusable = ofProxy('its address is invalid');
const before = 'Client network socket disconnected before secure TLS connection was established';

const faults: [
  what: string,
  open: () => Promise<string>,
  end: Awaited<ReturnType<typeof request>>,
][] = [
  [
    'rejects its credentials',
    opens((socket) => socket.end('HTTP/1.1 407 x\r\n\r\n')),
    ofProxy('it answers 407'),
  ],
  ['closes the connection', opens((socket) => socket.destroy()), ofProxy('ECONNRESET')],
  ['is not a proxy', opens((socket) => socket.end('SSH-2.0\r\n')), ofProxy('HPE_INVALID_CONSTANT')],
  ['does not listen', async () => `http://${host}:${await freePort()}`, ofProxy('ECONNREFUSED')],
  ['has an untrusted certificate', encrypted, ofProxy('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['has no valid URL', async () => 'http://', unusable],
  ['has an unsupported scheme', async () => `socks5://${host}:1`, unusable],
  ['has a bare percent sign in its username', async () => `http://5%:x@${host}:1`, unusable],
  ['has a bare percent sign in its password', async () => `http://x:5%@${host}:1`, unusable],
  [
    'closes a tunnel before the TLS handshake',
    opens((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    { message: before, reason: undefined },
  ],
];

test.each(faults)('a request fails through a proxy that %s', async (_, open, end) => {
  const [service, url] = await Promise.all([openService(), open()]);
  setProxies({
    HTTPS_PROXY: url.includes('@') ? url : url.replace('://', '://u:proxy-Secret-1@'),
  });
  expect(await request(service.url)).toEqual(end);
  expect(service.received).toEqual([]);
});

test('an error of the service itself does not name a proxy', async () => {
  setProxies({});
  const port = await freePort();
  expect(await request(`https://${host}:${port}`)).toEqual({
    message: `connect ECONNREFUSED ${host}:${port}`,
    reason: undefined,
  });
});
