// Sends messages one after the other, with the certificates (NODE_EXTRA_CA_CERTS) and the proxy of its environment, and
// prints their outcomes.
import type { TelephonyError } from '../../src/builder.ts';
import { sms, telephonyAt } from './service.ts';

const [url = '', count, idleTimeoutMs] = process.argv.slice(2);
const telephony = telephonyAt(url, {
  maxAttempts: 2,
  idleTimeoutMs: Number(idleTimeoutMs),
  confirmTimeoutMs: 0,
});
Math.random = () => 0;
const outcomes: { outcome: string; message?: string }[] = [];
for (let sent = 0; sent < Number(count); sent += 1)
  outcomes.push(
    await telephony.run('send-sms', sms).then(
      () => ({ outcome: 'sent' }),
      ({ code, message }: TelephonyError) => ({ outcome: code, message }),
    ),
  );
console.log(JSON.stringify(outcomes));
process.exit();
