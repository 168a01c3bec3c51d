/**
 * A server of two routes in its own process: `web-server <gateway | fastify> <the service's URL> <folder>`. Fastify alone reads the same
 * requests and answers with records that it has. Sends its URL and the key of its callers to its parent.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fastify } from 'fastify';
import { openGateway } from '../plugin/gateway/gateway.ts';
import { createServer } from '../plugin/gateway/http/server.ts';
import { addKey, all } from '../plugin/gateway/keys.ts';
import { readSettings } from '../plugin/gateway/settings.ts';
import { account, callRecord, messageRecord } from './records.ts';

const most = 1_000_000;

async function openFastify() {
  const server = fastify();
  const call = callRecord(0);
  server.get('/v1/data-sources/view-a-call', async () => call);
  server.post('/v1/actions/send-sms', async () => messageRecord);
  return { server, key: 'none' };
}

async function openOwn(baseUrl: string, folder: string) {
  const gateway = openGateway({
    ...{ ...readSettings({}), databaseFile: join(folder, 'gateway.sqlite') },
    ...{ account: { ...account, baseUrl }, requestsPerMinute: most },
    spending: { perHour: most, perRecipientPerHour: most },
  });
  const rights = { read: all, act: all, senders: all, events: [], limits: {} } as const;
  const { text } = await addKey(gateway.store, 'benchmark', rights);
  return { server: await createServer(gateway), key: text };
}

const [name, url = '', folder = ''] = process.argv.slice(2);
const { server, key } = await (name === 'gateway' ? openOwn(url, folder) : openFastify());
await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as AddressInfo;
process.send?.({ url: `http://127.0.0.1:${port}`, key });
process.once('disconnect', () => process.exit());
