// Sends messages one after the other, by TLS with a certificate that this process trusts (NODE_EXTRA_CA_CERTS), and says
// what came of each.
import type { TelephonyError } from '../../src/index.ts';
import { sms, telephonyAt } from './service.ts';

const [url = '', count] = process.argv.slice(2);
const telephony = telephonyAt(url, { tries: 2, silence: 1_000 });
Math.random = () => 0;
const outcomes: string[] = [];
for (let sent = 0; sent < Number(count); sent += 1)
  outcomes.push(
    await telephony.run('send-sms', sms).then(
      () => 'sent',
      ({ code }: TelephonyError) => code,
    ),
  );
console.log(JSON.stringify(outcomes));
process.exit();
