import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Store, type Telephony } from '../src/builder.ts';
import type { Effort } from './effort.ts';
import { account, sms } from './records.ts';
import { median, ratio, type Summary } from './statistics.ts';
import { openStore } from './stores.ts';

/** Rounds that don't count. */
const warmUps = 2;
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

/** Sends messages one after the other, and returns the microseconds of CPU and of time for each. */
async function costOf(telephony: Telephony, recipients: number, messages: number) {
  const [began, beganAt] = [process.cpuUsage(), performance.now()];
  for (let index = 0; index < messages; index += 1)
    await telephony.run('send-sms', { ...sms, to: `+1202${5_000_000 + (sent % recipients)}` });
  const { user, system } = process.cpuUsage(began);
  return {
    cpu: (user + system) / messages,
    latency: ((performance.now() - beganAt) * 1_000) / messages,
  };
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

/** What a message costs with limits, in a store with so many recipients. */
export interface SpendingFigures {
  store: string;
  recipients: number;
  /** With limits against without, and the microseconds more. */
  cpu: Summary & { more: number };
  latency: Summary & { more: number };
  /** For each message. */
  writes: number;
  bytesOfAWrite: number;
}

async function measureStore(
  name: string,
  recipients: number,
  place: string,
  { rounds, calls }: Effort,
) {
  const messages = Math.min(100, Math.ceil(calls / 10));
  const store = await openStore(name, place);
  const { counted, written } = counting(store);
  const spending = { perHour: 1_000_000, perRecipientPerHour: 1_000_000 };
  const [without, limited] = [
    connect({ ...account, http, store }),
    connect({ ...account, http, store: counted, spending }),
  ];
  type Costs = Awaited<ReturnType<typeof costOf>>[];
  const [withoutThem, withThem]: [Costs, Costs] = [[], []];
  for (let round = -warmUps; round < rounds; round += 1) {
    const [one, other] = [
      await costOf(without, recipients, messages),
      await costOf(limited, recipients, messages),
    ];
    if (round < 0) continue;
    withoutThem.push(one);
    withThem.push(other);
  }
  const compared = (key: 'cpu' | 'latency') => {
    const [one, other] = [withoutThem, withThem].map((costs) => costs.map((cost) => cost[key]));
    const more = median(other ?? []) - median(one ?? []);
    return { ...ratio(other ?? [], one ?? []), more };
  };
  return {
    ...{ store: name, recipients, cpu: compared('cpu'), latency: compared('latency') },
    writes: written.entries / ((rounds + warmUps) * messages),
    bytesOfAWrite: written.bytes / written.entries,
  };
}

/**
 * Compares what a message costs with limits and without, in each store that needs no server. Both send in turn, in one process, to a
 * service that answers at once, so that the ratio is the largest possible.
 */
export async function measureSpending(effort: Effort): Promise<SpendingFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'spending-'));
  const figures: SpendingFigures[] = [];
  const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
  for (const name of ['memory', 'Node-RED', ...(hasSqlite ? ['SQLite'] : [])])
    for (const recipients of recipientCounts)
      figures.push(
        await measureStore(
          name,
          recipients,
          join(folder, `${name} ${recipients}`, 'store'),
          effort,
        ),
      );
  await rm(folder, { recursive: true });
  return figures;
}
