// Sends messages one after the other for each request of its parent, with the certificates (NODE_EXTRA_CA_CERTS) of its
// environment, and reports their outcomes. The idle timeout is that of the last message.
import type { TelephonyError } from '../../src/builder.ts';
import { resolveOtherHost } from './other-host.ts';
import type { Sending } from './send-in-child.ts';
import { sms, telephonyAt } from './service.ts';

resolveOtherHost();
Math.random = () => 0;
const limits = { maxAttempts: 2, confirmTimeoutMs: 0 };

process.on('message', async ({ url, count, environment, idleTimeoutMs }: Sending) => {
  const telephony = telephonyAt(url, limits);
  const last = telephonyAt(url, { ...limits, idleTimeoutMs });
  Object.assign(process.env, environment);
  const outcomes: { outcome: string; message?: string }[] = [];
  for (let sent = 0; sent < count; sent += 1)
    outcomes.push(
      await (sent < count - 1 ? telephony : last).run('send-sms', sms).then(
        () => ({ outcome: 'sent' }),
        ({ code, message }: TelephonyError) => ({ outcome: code, message }),
      ),
    );
  for (const variable of Object.keys(environment)) delete process.env[variable];
  process.send?.(outcomes);
});
