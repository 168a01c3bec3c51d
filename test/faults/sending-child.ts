// Sends messages one after the other, with the certificates (NODE_EXTRA_CA_CERTS) and the proxy of its environment, and
// prints their outcomes. The idle timeout is that of the last message.
import type { TelephonyError } from '../../src/builder.ts';
import { resolveOtherHost } from './other-host.ts';
import { sms, telephonyAt } from './service.ts';

resolveOtherHost();
const [url = '', count, idleTimeoutMs] = process.argv.slice(2);
const limits = { maxAttempts: 2, confirmTimeoutMs: 0 };
const telephony = telephonyAt(url, limits);
const last = telephonyAt(url, { ...limits, idleTimeoutMs: Number(idleTimeoutMs) });
Math.random = () => 0;
const outcomes: { outcome: string; message?: string }[] = [];
for (let sent = 0; sent < Number(count); sent += 1)
  outcomes.push(
    await (sent < Number(count) - 1 ? telephony : last).run('send-sms', sms).then(
      () => ({ outcome: 'sent' }),
      ({ code, message }: TelephonyError) => ({ outcome: code, message }),
    ),
  );
console.log(JSON.stringify(outcomes));
process.exit();
