/**
 * Reads a list to its end, in its own process: `reader <plain|plugin>`. Its parent can request that many times.
 */
import http from 'node:http';
import { plainRequest } from './contenders.ts';
import { loadPlugin } from './load-plugin.ts';
import { account, accountPath, authorization } from './records.ts';

/** A requested list of a service. With `isWatched`, garbage is collected after each page. */
export interface Question {
  url: string;
  isWatched: boolean;
}

/** CPU time in microseconds, and memory in bytes; `inUse` is measured after garbage collections. */
export interface Reading {
  records: number;
  cpu: number;
  peak: number;
  inUse: number;
}

type Pages = AsyncGenerator<object[]>;

async function* plain(url: string): Pages {
  const agent = new http.Agent({ keepAlive: true });
  let next: string | null = `${new URL(url).pathname}${accountPath}/Calls.json?PageSize=1000`;
  while (next) {
    const page: { calls: object[]; next_page_uri: string | null } = JSON.parse(
      await plainRequest(agent, new URL(next, url), { headers: { authorization } }),
    );
    yield page.calls;
    next = page.next_page_uri;
  }
}

async function* plugin(url: string): Pages {
  const { connect } = await loadPlugin();
  const telephony = connect({ ...account, baseUrl: url });
  for await (const { records } of telephony.pages('calls-by-caller-id', { pageSize: 1000 }))
    yield records;
}

const read = process.argv[2] === 'plugin' ? plugin : plain;

function bytesInUse() {
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function readAll({ url, isWatched }: Question): Promise<Reading> {
  const start = process.cpuUsage();
  let [records, inUse] = [0, 0];
  for await (const page of read(url)) {
    records += page.length;
    if (isWatched) inUse = Math.max(inUse, bytesInUse());
  }
  const { user, system } = process.cpuUsage(start);
  const peak = process.resourceUsage().maxRSS * 1024;
  return { records, cpu: user + system, peak, inUse };
}

process.on('message', async (question: Question) => process.send?.(await readAll(question)));
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
