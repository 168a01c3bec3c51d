// Sends messages to many people, ten at a time, within a limit for all processes. Kills itself before one of them, if it is given:
// `<url> <store> <place> <limit> <attempts> <name> <killBefore>`.
import { openStore } from '../../bench/stores.ts';
import { connect } from '../../src/builder.ts';
import { account, sms } from './service.ts';

const [url, store = '', place = '', limit, attempts, name, killBefore] = process.argv.slice(2);
const telephony = connect({
  ...{ ...account, baseUrl: url, store: await openStore(store, place) },
  spending: { perHour: Number(limit) },
});
let left = Number(attempts);
async function send() {
  while (left > 0) {
    left -= 1;
    if (String(left) === killBefore) process.kill(process.pid, 'SIGKILL');
    const to = `+1202${5_550_000 + left}`;
    await telephony.run('send-sms', { ...sms, to, body: `${name}` }).catch((error) => {
      if (error.code !== 'limit-reached') throw error;
    });
  }
}
await Promise.all(Array.from({ length: 10 }, send));
process.exit();
