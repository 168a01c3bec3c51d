import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './children.ts';
import { type Contender, plainRequest } from './contenders.ts';
import type { Effort } from './effort.ts';
import { loadPlugin } from './load-plugin.ts';
import { account, callSid, sms } from './records.ts';
import { quantile } from './statistics.ts';

/** How many requests are in progress at a time. */
export const width = 10;

const names = ['gateway', 'fastify', 'library'] as const;

/** One figure per round. */
export interface LoadFigures {
  /** Requests per second. */
  throughput: number[];
  /** The 99th percentile of their time, in milliseconds. */
  p99: number[];
}

export type GatewayFigures = Record<keyof Contender, Record<(typeof names)[number], LoadFigures>>;

let sent = 0;
/** A message to another recipient than the last: those for one are sent one after the other. */
function nextSms() {
  sent += 1;
  return { ...sms, to: `+1202${5_000_000 + (sent % 1_000)}` };
}

/** Calls a server as the gateway is called: a read, and an action with a key. */
function callerOf({ url, key }: { url: string; key: string }): Contender {
  const agent = new http.Agent({ keepAlive: true, maxSockets: width });
  const headers = { authorization: `Bearer ${key}` };
  const read = `${url}/v1/data-sources/view-a-call?callSid=${callSid}`;
  return {
    viewCall: async () => JSON.parse(await plainRequest(agent, read, { headers })),
    async sendSms() {
      const body = JSON.stringify(nextSms());
      const post = {
        method: 'POST',
        headers: {
          ...{ ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          'content-length': Buffer.byteLength(body),
        },
      };
      return JSON.parse(await plainRequest(agent, `${url}/v1/actions/send-sms`, post, body));
    },
  };
}

async function openLibrary(baseUrl: string): Promise<Contender> {
  const { connect } = await loadPlugin();
  const { run } = connect({ ...account, baseUrl });
  return {
    viewCall: () => run('view-a-call', { callSid }),
    sendSms: () => run('send-sms', nextSms()),
  };
}

async function loadOf(call: () => Promise<unknown>, count: number) {
  const times: number[] = [];
  let left = count;
  const began = performance.now();
  async function work() {
    for (; left > 0; left -= 1) {
      const beganOne = performance.now();
      const { sid } = Object(await call());
      if (!sid) throw new Error('An answer is no record.');
      times.push(performance.now() - beganOne);
    }
  }
  await Promise.all(Array.from({ length: width }, work));
  return { throughput: count / ((performance.now() - began) / 1_000), p99: quantile(times, 0.99) };
}

/**
 * Measures how many requests per second the gateway answers, with its store in SQLite, and how long they take, against Fastify alone, which
 * has the records, and against the library alone, which has no keys, limits or store. Every round measures all of them in turn.
 *
 * @param url the service's URL
 */
export async function measureGateway(
  url: string,
  { rounds, calls }: Effort,
): Promise<GatewayFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'telephony-bench-'));
  const servers = await Promise.all(
    ['gateway', 'fastify'].map((name) =>
      start<{ url: string; key: string }>('web-server', [name, url, folder]),
    ),
  );
  const [gateway, fastify] = servers.map(({ message }) => callerOf(message));
  const contenders = { gateway, fastify, library: await openLibrary(url) };
  const none = (): LoadFigures => ({ throughput: [], p99: [] });
  const figuresOf = () => ({ gateway: none(), fastify: none(), library: none() });
  const figures: GatewayFigures = { viewCall: figuresOf(), sendSms: figuresOf() };
  for (let round = -1; round < rounds; round += 1)
    for (const operation of ['viewCall', 'sendSms'] as const)
      for (const name of names) {
        const contender = contenders[name] as Contender;
        const { throughput, p99 } = await loadOf(contender[operation], Math.ceil(calls / 2));
        if (round < 0) continue;
        figures[operation][name].throughput.push(throughput);
        figures[operation][name].p99.push(p99);
      }
  for (const { child } of servers) child.kill();
  await rm(folder, { recursive: true });
  return figures;
}
