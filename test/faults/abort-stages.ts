import type { Socket } from 'node:net';
import type { Telephony, TelephonyError } from '../../src/builder.ts';
import { answer, listen, type RawServer } from './raw-server.ts';
import { accountPath, callSid, sms, telephonyAt } from './service.ts';

type Run = (telephony: Telephony, signal: AbortSignal) => Promise<unknown>;

export const operations: Record<'read' | 'write', Run> = {
  read: (telephony, signal) => telephony.run('view-a-call', { callSid }, { signal }),
  write: (telephony, signal) => telephony.run('send-sms', sms, { signal }),
};

const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'resolved',
    (error: TelephonyError) => error.code,
  );

/** Aborts an operation at a stage, and returns the error code. */
export type Stage = (run: Run, onServer: (server: RawServer) => void) => Promise<string>;

const half = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n';

/** The stages by name. No timeout ends them first: the defaults are many seconds long. */
export const stages: Record<string, Stage> = {
  async 'before it begins'(run, onServer) {
    const server = await listen(() => {});
    onServer(server);
    return codeOf(run(telephonyAt(server.url), AbortSignal.abort()));
  },

  async 'in the queue'(run, onServer) {
    const first = new AbortController();
    const second = new AbortController();
    const server = await listen(() => second.abort());
    onServer(server);
    const telephony = telephonyAt(server.url, { concurrency: 1 });
    const running = codeOf(run(telephony, first.signal));
    const code = await codeOf(run(telephony, second.signal));
    first.abort();
    await running;
    return code;
  },

  async 'before it begins, behind a full queue'(run, onServer) {
    const first = new AbortController();
    const server = await listen(() => {});
    onServer(server);
    const telephony = telephonyAt(server.url, { concurrency: 1 });
    const running = codeOf(run(telephony, first.signal));
    const code = await codeOf(run(telephony, AbortSignal.abort()));
    first.abort();
    await running;
    return code;
  },

  async 'while it connects'(run, onServer) {
    const stop = new AbortController();
    const server = await listen(() => {}, {
      connected: (socket) => socket.once('data', () => stop.abort()),
    });
    onServer(server);
    return codeOf(run(telephonyAt(server.url.replace('http', 'https')), stop.signal));
  },

  async 'before the answer'(run, onServer) {
    const stop = new AbortController();
    const server = await listen(() => stop.abort());
    onServer(server);
    return codeOf(run(telephonyAt(server.url), stop.signal));
  },

  async 'in the headers'(run, onServer) {
    const stop = new AbortController();
    const server = await listen((socket) => drip(socket, half, 'X-A: b\r\n', stop));
    onServer(server);
    return codeOf(run(telephonyAt(server.url), stop.signal));
  },

  async 'in the body'(run, onServer) {
    const stop = new AbortController();
    const server = await listen((socket) => drip(socket, `${half}\r\n{`, ' ', stop));
    onServer(server);
    return codeOf(run(telephonyAt(server.url), stop.signal));
  },

  async 'after the answer'(run, onServer) {
    const stop = new AbortController();
    const record = JSON.stringify({ sid: callSid });
    const server = await listen((socket) => socket.write(answer(200, record)));
    onServer(server);
    const { removeEventListener } = EventTarget.prototype;
    // The client releases the signal after a complete response, a few steps before it returns.
    EventTarget.prototype.removeEventListener = function (...listener) {
      if (server.received.length > 0) process.nextTick(() => stop.abort());
      removeEventListener.apply(this, listener);
    };
    const code = await codeOf(run(telephonyAt(server.url), stop.signal));
    EventTarget.prototype.removeEventListener = removeEventListener;
    return code;
  },

  async 'while it waits for a retry'(run, onServer) {
    const stop = new AbortController();
    const server = await listen((socket) => socket.write(answer(429, '', { 'Retry-After': '20' })));
    onServer(server);
    const { random } = Math;
    // The client draws a random wait just before it waits.
    Math.random = () => {
      setImmediate(() => stop.abort());
      return 0.5;
    };
    const code = await codeOf(run(telephonyAt(server.url), stop.signal));
    Math.random = random;
    return code;
  },

  async 'between two pages'(_, onServer) {
    const stop = new AbortController();
    const next_page_uri = `${accountPath}/Calls.json?Page=1`;
    const page = { calls: [{ sid: callSid }], next_page_uri };
    const server = await listen((socket) => socket.write(answer(200, JSON.stringify(page))));
    onServer(server);
    const pages = telephonyAt(server.url).pages('account-calls', {}, { signal: stop.signal });
    await pages.next();
    stop.abort();
    return codeOf(pages.next());
  },
};

/** Trickles a response, and aborts during it. */
function drip(socket: Socket, first: string, drop: string, stop: AbortController) {
  socket.write(first);
  let drops = 0;
  const timer = setInterval(() => {
    drops += 1;
    if (drops === 4) stop.abort();
    socket.write(drop);
  }, 10);
  socket.on('close', () => clearInterval(timer));
}
