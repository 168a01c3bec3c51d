// Texts the people of a table. With a number of milliseconds, kills itself after that time.
import { peopleOf, text } from './row-runs.ts';
import { telephonyAt } from './service.ts';

const [url = '', folder = '', count, killAfterMs] = process.argv.slice(2);
const telephony = telephonyAt(url);
await telephony.now();
if (killAfterMs) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killAfterMs));
await text(telephony, peopleOf(folder, Number(count)));
process.exit();
