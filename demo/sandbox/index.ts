import type { AddressInfo } from 'node:net';
import { SANDBOX_PASSWORD, SANDBOX_USERNAME, sisterHosts } from './account.ts';
import { answerAs, type CallerInput } from './caller.ts';
import {
  type IncomingCall,
  type IncomingMessage,
  receiveCall,
  receiveMessage,
} from './happenings.ts';
import type { SandboxOptions } from './options.ts';
import type { Call, Message } from './records.ts';
import { createServer } from './server.ts';
import { createState, type State } from './state.ts';

export { ACCOUNT_NUMBERS, SANDBOX_PASSWORD, SANDBOX_USERNAME, sisterHosts } from './account.ts';
export type { EventFault } from './event-faults.ts';
export type { Fault } from './faults.ts';
export type { SandboxOptions } from './options.ts';
export type { Call, Message, Recording } from './records.ts';
export type { LoggedRequest } from './state.ts';

/** A running sandbox. Its lists are the service's current records, newest first. */
export interface Sandbox
  extends Pick<
    State,
    'calls' | 'recordings' | 'messages' | 'requests' | 'faults' | 'events' | 'settings' | 'reset'
  > {
  /** Base URL for clients, with the base path if there is one and no slash at the end. */
  url: string;
  /** The settings with the URLs of the sister hosts, which the sandbox serves too. */
  hosts: ReturnType<typeof sisterHosts>;
  /** `http://127.0.0.1:<port>`, also of `/sandbox/...`. */
  origin: string;
  username: string;
  password: string;
  /** Advances its clock by seconds, and runs what is due. A fixed clock advances only this way. */
  pass(seconds: number): void;
  /** Receives a message. */
  receiveMessage(message: IncomingMessage): Message;
  /** Receives a call. */
  receiveCall(call: IncomingCall): Call;
  /** Lets the caller of a call press keys or speak. Throws if the call doesn't ask for it. */
  answer(call: Call, input: CallerInput): void;
  /** Stops at once, even with requests in progress. */
  close(): Promise<void>;
}

/**
 * Starts a local telephony service with demo records, which behaves like the real one, according to its public OpenAPI document,
 * error dictionary and documentation.
 *
 * @throws Error with what to do, if the port is in use, the host is not loopback, the base path is invalid, or the records file
 *   cannot be used
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, basePath = '' } = options;
  checkPlace(host, basePath);
  const state = createState(options);
  const server = createServer(state);
  await server.listen({ host, port }).catch((error) => {
    throw error.code === 'EADDRINUSE' ? new Error(portTaken(port), { cause: error }) : error;
  });
  const { port: bound } = server.server.address() as AddressInfo;
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  try {
    state.open(origin);
  } catch (error) {
    await server.close();
    throw error;
  }
  const { calls, recordings, messages, requests, faults, events, settings, reset } = state;
  const { username = SANDBOX_USERNAME, password = SANDBOX_PASSWORD } = options;
  const url = origin + basePath;
  return {
    ...{ url, origin, username, password },
    hosts: sisterHosts(url),
    ...{ calls, recordings, messages, requests, faults, events, settings, reset },
    pass: (seconds) => state.clock.pass(seconds),
    receiveMessage: (message) => receiveMessage(state, message),
    receiveCall: (call) => receiveCall(state, call),
    answer: answerAs,
    close: () => {
      state.clock.clear();
      return server.close();
    },
  };
}

function checkPlace(host: string, basePath: string): void {
  if (!/^(127(\.\d+){3}|::1|localhost)$/.test(host)) {
    throw new Error(
      `The sandbox does not listen on ${host}: it is for this machine only. Use 127.0.0.1.`,
    );
  }
  if (!/^(\/[\w.-]+)*$/.test(basePath)) {
    throw new Error(`The base path ${basePath} has to look like /api/laml.`);
  }
}

function portTaken(port: number): string {
  return `Port ${port} is in use. Stop the program that uses it, or choose another one with --port.`;
}
