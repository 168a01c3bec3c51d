/**
 * The compared clients. Each opens an account at a URL, and reads a call and sends a message there. All keep their connections
 * alive, like a server does. The plain ones do the minimum to return an object: no checks, no types, no retries.
 */
import http from 'node:http';
import type { Dispatcher } from 'undici';
import { loadPlugin } from './load-plugin.ts';
import { account, accountPath, authorization, callSid, sms } from './records.ts';

export interface Contender {
  viewCall(): Promise<unknown>;
  sendSms(): Promise<unknown>;
}

const callPath = `${accountPath}/Calls/${callSid}.json`;
export const messagesPath = `${accountPath}/Messages.json`;
const headers = { authorization, accept: 'application/json' };
export const formHeaders = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
export const smsForm = () =>
  new URLSearchParams({ From: sms.from, To: sms.to, Body: sms.body }).toString();

/** The minimum with `node:http`: a response as text. */
export function plainRequest(
  agent: http.Agent,
  url: string | URL,
  options: http.RequestOptions,
  body?: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
      response.on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}

function plain(url: string): Contender {
  const agent = new http.Agent({ keepAlive: true });
  const get = { method: 'GET', headers };
  return {
    viewCall: async () => JSON.parse(await plainRequest(agent, url + callPath, get)),
    sendSms: async () => {
      const body = smsForm();
      const length = { 'content-length': Buffer.byteLength(body) };
      const post = { method: 'POST', headers: { ...formHeaders, ...length } };
      return JSON.parse(await plainRequest(agent, url + messagesPath, post, body));
    },
  };
}

async function undici(url: string): Promise<Contender> {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent();
  const read = async ({ body }: Dispatcher.ResponseData) => body.json();
  return {
    viewCall: async () => read(await request(url + callPath, { dispatcher, headers })),
    sendSms: async () => {
      const post = { dispatcher, method: 'POST', headers: formHeaders, body: smsForm() } as const;
      return read(await request(url + messagesPath, post));
    },
  };
}

async function axios(url: string): Promise<Contender> {
  const { default: client } = await import('axios');
  const options = { auth: account, httpAgent: new http.Agent({ keepAlive: true }) };
  return {
    viewCall: async () => (await client.get(url + callPath, options)).data,
    sendSms: async () => (await client.post(url + messagesPath, smsForm(), options)).data,
  };
}

async function official(url: string): Promise<Contender> {
  const { default: twilio } = await import('twilio');
  const client = twilio(account.username, account.password);
  client.api.baseUrl = url;
  return {
    viewCall: () => client.calls(callSid).fetch(),
    sendSms: () => client.messages.create(sms),
  };
}

async function plugin(url: string): Promise<Contender> {
  const { connect } = await loadPlugin();
  const telephony = connect({ ...account, baseUrl: url, limits: { concurrency: 50 } });
  return {
    viewCall: () => telephony.run('view-a-call', { callSid }),
    sendSms: () => telephony.run('send-sms', sms),
  };
}

/** The contenders by name. The others are compared with the first one. */
const contenders = { plain, undici, axios, official, plugin };

export type ContenderName = keyof typeof contenders;

export const isContenderName = (name: string): name is ContenderName => name in contenders;
export const contenderNames = Object.keys(contenders).filter(isContenderName);

/** @param url the service's URL */
export const openContender = async (name: ContenderName, url: string) => contenders[name](url);
