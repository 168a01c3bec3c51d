/**
 * Compares what a message costs with limits and without, in each store that needs no server: `npm run bench -- --spending`. Both
 * send in turn, in one process, to a service that answers at once, so that the ratio is the largest possible.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Store, type Telephony } from '../src/builder.ts';
import { account, sms } from './records.ts';
import { median, ratio } from './statistics.ts';
import { openStore } from './stores.ts';

const rounds = 5;
const messages = 100;
/** More than the entry of an account counts, and fewer. */
const recipientCounts = [100, 1_000];

let sent = 0;
const http = async () => {
  sent += 1;
  const body = Buffer.from(JSON.stringify({ sid: `SM${String(sent).padStart(32, '0')}` }));
  return {
    ...{ status: 201, headers: { date: new Date().toUTCString() } },
    body: (async function* () {
      yield body;
    })(),
  };
};

/** Sends messages one after the other, and returns the microseconds of CPU for each. */
async function cpuOf(telephony: Telephony, recipients: number): Promise<number> {
  const began = process.cpuUsage();
  for (let index = 0; index < messages; index += 1)
    await telephony.run('send-sms', { ...sms, to: `+1202${5_000_000 + (sent % recipients)}` });
  const { user, system } = process.cpuUsage(began);
  return (user + system) / messages;
}

/** Counts the writes of counts, and their bytes. */
function counting(store: Store) {
  const written = { entries: 0, bytes: 0 };
  const note = (kind: string, value: unknown) => {
    if (kind !== 'usage') return;
    written.entries += 1;
    written.bytes += JSON.stringify(value).length;
  };
  const counted: Store = {
    ...store,
    insert(kind, entry) {
      note(kind, entry.value);
      return store.insert(kind, entry);
    },
    swap(kind, entry, value) {
      note(kind, value);
      return store.swap(kind, entry, value);
    },
  };
  return { counted, written };
}

const folder = await mkdtemp(join(tmpdir(), 'spending-'));
console.log(
  '| store, recipients | CPU against no limits | µs more | writes more | bytes of a write |\n| --- | --- | --- | --- | --- |',
);
for (const name of ['memory', 'Node-RED', 'SQLite'])
  for (const recipients of recipientCounts) {
    const store = await openStore(name, join(folder, `${name} ${recipients}`, 'store'));
    const { counted, written } = counting(store);
    const spending = { perHour: 1_000_000, perRecipientPerHour: 1_000_000 };
    const [without, limited] = [
      connect({ ...account, http, store }),
      connect({ ...account, http, store: counted, spending }),
    ];
    const figures: [number[], number[]] = [[], []];
    for (let round = -2; round < rounds; round += 1) {
      const [one, other] = [await cpuOf(without, recipients), await cpuOf(limited, recipients)];
      if (round < 0) continue;
      figures[0].push(one);
      figures[1].push(other);
    }
    const cells = [
      ratio(figures[1], figures[0]).median.toFixed(2),
      (median(figures[1]) - median(figures[0])).toFixed(0),
      (written.entries / ((rounds + 2) * messages)).toFixed(2),
      (written.bytes / written.entries).toFixed(0),
    ];
    console.log(`| ${name}, ${recipients} | ${cells.join(' | ')} |`);
  }
await rm(folder, { recursive: true });
