import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { signForm } from '../../demo/sandbox/signature.ts';
import { type Gateway, openGateway } from '../../plugin/gateway/gateway.ts';
import { createServer } from '../../plugin/gateway/http/server.ts';
import { addKey, all, type Rights } from '../../plugin/gateway/keys.ts';
import { type GatewaySettings, readSettings } from '../../plugin/gateway/settings.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import type { Sandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The rights of a key that may do everything. */
export const everything: Rights = {
  ...{ read: all, act: all, senders: all, events: all, reply: all, limits: {} },
  ...{ subscribe: true, instructions: true },
};

/** What a test sends. */
export interface Sent {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An answer as its caller gets it. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Its JSON, or its text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it
  body: any;
}

/** Sends requests with a key. */
export type Call = (path: string, sent?: Sent) => Promise<Answer>;

/** A running gateway. */
export interface OpenGateway {
  gateway: Gateway;
  server: FastifyInstance;
  url: string;
  /** Calls with a key that may do everything. */
  call: Call;
  /** Calls with another key. */
  callWith(rights: Partial<Rights>, name?: string): Promise<Call & { id: string; text: string }>;
  /** The lines of its log. */
  log: string[];
  close(): Promise<void>;
}

/** The public address of a gateway that gets events. */
export const publicAddress = 'https://gateway.example.com';

/** Reports an SMS to a gateway as the service does. */
export function reportSms(
  gateway: string,
  { username, password }: Sandbox,
  more: Record<string, string>,
  isSigned = true,
): Promise<Response> {
  const form: Record<string, string> = {
    ...{ AccountSid: username, From: '+12025550130', To: '+14155550100' },
    ...{ Body: 'A text', NumMedia: '0', SmsStatus: 'received', ...more },
  };
  const path = '/v1/events/webhook';
  const signature = signForm(password, publicAddress + path, Object.entries(form));
  return fetch(gateway + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: isSigned ? { 'x-twilio-signature': signature } : {},
  });
}

/** Returns a function that calls a gateway. */
export const callerAt =
  (url: string, token: string): Call =>
  async (path, { method, body, headers = {} } = {}) => {
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      ...{ status: response.status, headers: response.headers },
      body: isJson ? JSON.parse(text) : text,
    };
  };

/** The folder of a gateway with SQLite. */
export const databaseFile = () => join(temporaryFolder('gateway'), 'data', 'gateway.sqlite');

/** Opens a gateway in this process, which its caller closes. */
export async function startServer(settings: Partial<GatewaySettings>): Promise<OpenGateway> {
  const log: string[] = [];
  const gateway = openGateway({
    ...{ ...readSettings({}), databaseFile: databaseFile(), port: 0 },
    ...settings,
  });
  const server = await createServer(gateway, { log: { write: (line) => void log.push(line) } });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close().then(() => gateway.close());
    return closing;
  };
  async function callWith(rights: Partial<Rights>, name = 'a test') {
    const none: Rights = { read: [], act: [], senders: [], events: [], limits: {} };
    const { key, text } = await addKey(gateway.store, name, { ...none, ...rights });
    return Object.assign(callerAt(url, text), { id: key.id, text });
  }
  const call = await callWith(everything);
  return { gateway, server, url, call, callWith, log, close };
}

/** Opens a gateway in this process. It is closed after its tests. */
export const openServer = async (settings: Partial<GatewaySettings>): Promise<OpenGateway> =>
  closeAfterwards(await startServer(settings));

/** The path of sending an SMS. */
export const sendPath = '/v1/actions/send-sms';

/** The input of an SMS to a number of the sandbox. */
export const smsTo = (to: string, body = 'Your table is ready.') => ({
  ...{ from: '+14155550100', to, body },
});

/** Runs an action with a key of its own, unless it is given. */
export const act = (call: Call, path: string, body: unknown, key: string = randomUUID()) =>
  call(path, { body, headers: { 'idempotency-key': key } });
