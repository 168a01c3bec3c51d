/**
 * Sends messages to a service with a rate limit, in its own process: `limited-sender <name> <url> <count>`. Reports to its parent
 * how long that took and how many were lost.
 */
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { formHeaders, messagesPath, smsForm } from './contenders.ts';
import { loadPlugin } from './load-plugin.ts';
import { account, sms } from './records.ts';

const tries = 5;

/** Retries after the time in `Retry-After`, like a careful program. */
async function sendCarefully(agent: http.Agent, url: string) {
  const body = smsForm();
  const headers = { ...formHeaders, 'content-length': Buffer.byteLength(body) };
  for (let count = 1; count <= tries; count += 1) {
    const [status, wait] = await new Promise<[number, number]>((resolve, reject) => {
      const request = http.request(url + messagesPath, { agent, method: 'POST', headers });
      request.on('error', reject).on('response', (response) => {
        response.resume();
        response.on('end', () =>
          resolve([response.statusCode ?? 0, Number(response.headers['retry-after'] ?? 0)]),
        );
      });
      request.end(body);
    });
    if (status === 201) return;
    await setTimeout(wait * 1000);
  }
  throw new Error('Too many requests');
}

type Send = () => Promise<unknown>;

function fixed(url: string): Send {
  const agent = new http.Agent({ keepAlive: true });
  return () => sendCarefully(agent, url);
}

async function official(url: string): Promise<Send> {
  const { default: twilio } = await import('twilio');
  const client = twilio(account.username, account.password, { autoRetry: true });
  client.api.baseUrl = url;
  return () => client.messages.create(sms);
}

async function plugin(url: string): Promise<Send> {
  const { connect } = await loadPlugin();
  const telephony = connect({ ...account, baseUrl: url });
  return () => telephony.run('send-sms', sms);
}

const senders: Record<string, { width: number; open(url: string): Send | Promise<Send> }> = {
  plugin: { width: Number.POSITIVE_INFINITY, open: plugin },
  'fixed-5': { width: 5, open: fixed },
  'fixed-20': { width: 20, open: fixed },
  'fixed-100': { width: 100, open: fixed },
  'official-20': { width: 20, open: official },
};

const [name = '', url = '', total = ''] = process.argv.slice(2);
const { width, open } = senders[name] ?? {};
if (!width || !open) throw new Error(`There is no sender "${name}".`);
const send = await open(url);

process.on('message', async () => {
  let left = Number(total);
  let lost = 0;
  const began = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await send().catch(() => {
        lost += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, left) }, work));
  process.send?.({ seconds: (performance.now() - began) / 1000, lost });
});
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
