// Texts the people of a table, until it is killed at a moment after it begins, or has ended.
import { peopleOf, text } from './row-runs.ts';
import { telephonyAt } from './service.ts';

const [url = '', folder = '', count, moment] = process.argv.slice(2);
const telephony = telephonyAt(url);
await telephony.now();
if (moment) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(moment));
await text(telephony, peopleOf(folder, Number(count)));
process.exit();
