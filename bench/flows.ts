import http from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { signForm } from '../demo/sandbox/signature.ts';
import smsReceived from '../events/examples/sms-received.json' with { type: 'json' };
import type { Effort } from './effort.ts';
import { account, accountPath, callSid } from './records.ts';
import { atBuilder } from './start-builder.ts';

const contenders = ['plugin', 'core'] as const;
type Contender = (typeof contenders)[number];

export interface FlowFigures {
  /** Messages per second, one figure per round. */
  messages: Record<Contender, number[]>;
  /** Webhooks per second, one figure per round. */
  webhooks: Record<Contender, number[]>;
}

const publicAddress = 'https://node-red.example.com';
const paths = { plugin: '/telephony/events/account', core: '/webhook' };
const connections = 10;
const place = { z: 'tab', x: 0, y: 0 };

/** A function that sends the same message many times, and one that answers after the last. */
const sendMany = `
  flow.set('left', Number(msg.req.query.count));
  for (let sent = 0; sent < Number(msg.req.query.count); sent += 1)
    node.send({ ...msg, payload: '' });
`;
const answerAfterLast = `
  if (!msg.payload || msg.payload.sid !== '${callSid}') return { ...msg, statusCode: 500, payload: 'no call' };
  const left = flow.get('left') - 1;
  flow.set('left', left);
  if (left === 0) return { ...msg, payload: 'done' };
`;

/** A request whose response comes when a node has handled many messages. */
const manyMessages = (name: Contender, node: object) => [
  {
    id: name,
    type: 'http in',
    url: `/${name}`,
    method: 'get',
    ...place,
    wires: [[`${name} split`]],
  },
  {
    id: `${name} split`,
    type: 'function',
    func: sendMany,
    outputs: 1,
    ...place,
    wires: [[`${name} node`]],
  },
  { id: `${name} node`, ...node, ...place, wires: [[`${name} join`]] },
  {
    id: `${name} join`,
    type: 'function',
    func: answerAfterLast,
    outputs: 1,
    ...place,
    wires: [[`${name} end`]],
  },
  { id: `${name} end`, type: 'http response', ...place, wires: [] },
];

/** Both contenders look up a call for each message; both know from their file which webhooks they received. */
const flows = (service: string, home: string) => [
  { id: 'tab', type: 'tab', label: 'Benchmark' },
  {
    ...{ id: 'account', type: 'telephony-account', publicAddress, baseUrl: service },
    ...{ username: account.username, credentials: { password: account.password } },
  },
  ...manyMessages('plugin', {
    ...{ type: 'telephony-read', operation: 'view-a-call', account: 'account' },
    ...{ inputCallSid: callSid, typeOfCallSid: 'str' },
  }),
  ...manyMessages('core', {
    ...{ type: 'http request', method: 'GET', ret: 'obj', authType: 'basic', senderr: false },
    url: `${service}${accountPath}/Calls/${callSid}.json`,
    credentials: { user: account.username, password: account.password },
  }),
  {
    id: 'sms',
    type: 'telephony-sms-received',
    account: 'account',
    ...place,
    wires: [['received']],
  },
  { id: 'received', type: 'function', func: 'return null;', outputs: 1, ...place, wires: [[]] },
  { id: 'in', type: 'http in', url: paths.core, method: 'post', ...place, wires: [['log']] },
  {
    ...{ id: 'log', type: 'file', filename: join(home, 'webhooks.jsonl'), filenameType: 'str' },
    ...{ appendNewline: true, overwriteFile: 'false', ...place, wires: [['answer']] },
  },
  { id: 'answer', type: 'http response', statusCode: '204', ...place, wires: [] },
];

async function deploy(url: string, nodes: object[]) {
  const { status } = await fetch(`${url}/flows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(nodes),
  });
  if (status !== 204) throw new Error(`Node-RED does not deploy the flows: ${status}`);
  // Node-RED answers before the flows have started.
  for (let wait = 0; wait < 200; wait += 1) {
    const { status } = await fetch(`${url}/core?count=1`);
    if (status === 200) return;
    await setTimeout(50);
  }
  throw new Error('Node-RED does not start the flows.');
}

async function messagesPerSecond(url: string, name: Contender, count: number) {
  const began = performance.now();
  const response = await fetch(`${url}/${name}?count=${count}`);
  if (response.status !== 200) throw new Error(`${name}: ${await response.text()}`);
  return count / ((performance.now() - began) / 1000);
}

let webhookCount = 0;

/** A signed webhook about another SMS than those before. */
function webhook(path: string) {
  webhookCount += 1;
  const MessageSid = `SM${String(webhookCount).padStart(32, '0')}`;
  const sids = { MessageSid, SmsMessageSid: MessageSid, SmsSid: MessageSid };
  const parameters = Object.entries({ ...smsReceived.parameters, ...sids });
  const signature = signForm(account.password, publicAddress + path, parameters);
  return { body: new URLSearchParams(parameters).toString(), signature };
}

function post(agent: http.Agent, url: string, { body, signature }: ReturnType<typeof webhook>) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature,
  };
  return new Promise<number | undefined>((resolve, reject) => {
    http
      .request(url, { method: 'POST', agent, headers }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
      .on('error', reject)
      .end(body);
  });
}

async function webhooksPerSecond(agent: http.Agent, url: string, path: string, count: number) {
  const waiting = Array.from({ length: count }, () => webhook(path));
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const status = await post(agent, url + path, one);
      if (status !== 200 && status !== 204)
        throw new Error(`A webhook was answered with ${status}.`);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  return count / ((performance.now() - began) / 1000);
}

/**
 * Measures how many messages per second a node of the plugin handles, and how many webhooks per second its event node receives,
 * against Node-RED's own nodes: its HTTP request node, and its HTTP nodes with a file node between them. Each message looks up a
 * call.
 *
 * @param service the service's URL
 */
export const measureFlows = (service: string, { rounds, flowMessages }: Effort) =>
  atBuilder(
    'node-red',
    () => ['--module', join(import.meta.dirname, '../dist/node-red')],
    {},
    async ({ url, home }) => {
      await deploy(url, flows(service, home));
      const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
      const figures: FlowFigures = {
        messages: { plugin: [], core: [] },
        webhooks: { plugin: [], core: [] },
      };
      // The first round only warms up.
      for (let round = 0; round <= rounds; round += 1)
        for (const name of contenders) {
          const messages = await messagesPerSecond(url, name, flowMessages);
          const webhooks = await webhooksPerSecond(agent, url, paths[name], flowMessages);
          if (round === 0) continue;
          figures.messages[name].push(messages);
          figures.webhooks[name].push(webhooks);
        }
      agent.destroy();
      return figures;
    },
  );
