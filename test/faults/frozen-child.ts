// Sends two messages where `Object.prototype` is frozen, as NocoBase does before it loads plugins, and prints their statuses.
Object.freeze(Object.prototype);

const { nodeHttp } = await import('../../src/builder.ts');
const { sms, telephonyAt } = await import('./service.ts');

const [url = ''] = process.argv.slice(2);
const telephony = telephonyAt(url, {}, nodeHttp);
const statuses: unknown[] = [];
for (const body of ['One', 'Two'])
  statuses.push((await telephony.run('send-sms', { ...sms, body })).status);
console.log(JSON.stringify(statuses));

export {};
