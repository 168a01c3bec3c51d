/** Sends an SMS twice with the client that openapi-fetch and openapi-typescript create from the gateway's description. */
import createClient from 'openapi-fetch';
import type { paths } from './service.ts';

const { baseUrl, key, message } = JSON.parse(process.argv[2] ?? '');
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

const header = { 'Idempotency-Key': 'order 1042' };
const { from, to, body } = message;
for (let count = 0; count < 2; count += 1) {
  const sent = await client.POST('/v1/actions/send-sms', {
    params: { header },
    body: { from, to, body },
  });
  console.log(sent.data?.sid ?? sent.error?.detail);
}
const list = await client.GET('/v1/data-sources/account-messages', {
  params: { query: { to, limit: 1 } },
});
console.log(list.data?.records[0]?.sid);

// The types reject what the gateway would refuse. Never called.
export const refused = [
  // @ts-expect-error: no Idempotency-Key
  () => client.POST('/v1/actions/send-sms', { body: { from, to, body } }),
  // @ts-expect-error: no recipient
  () => client.POST('/v1/actions/send-sms', { params: { header }, body: { from, body } }),
];
