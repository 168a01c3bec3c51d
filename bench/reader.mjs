/**
 * Reads a list to its end, in a process of its own: `node reader.mjs <plain|plugin> <url>`. Its parent asks for it as
 * often as it likes.
 */
import http from 'node:http';
import { plainRequest } from './contenders.mjs';
import { account, accountPath, authorization } from './records.mjs';

async function* plain(url) {
  const agent = new http.Agent({ keepAlive: true });
  let next = `${new URL(url).pathname}${accountPath}/Calls.json?PageSize=1000`;
  while (next) {
    const page = JSON.parse(
      await plainRequest(agent, new URL(next, url), { headers: { authorization } }),
    );
    yield page.calls;
    next = page.next_page_uri;
  }
}

async function* plugin(url) {
  const { connect } = await import('../dist/esm/index.js');
  const telephony = connect({ ...account, baseUrl: url });
  for await (const { records } of telephony.pages('calls-by-caller-id', { pageSize: 1000 }))
    yield records;
}

const read = { plain, plugin }[process.argv[2]];

function bytesInUse() {
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Microseconds of CPU, and bytes; `inUse` is what is left of each page's memory when all garbage is gone. */
async function readAll(url, { watch }) {
  const start = process.cpuUsage();
  let [records, inUse] = [0, 0];
  for await (const page of read(url)) {
    records += page.length;
    if (watch) inUse = Math.max(inUse, bytesInUse());
  }
  const { user, system } = process.cpuUsage(start);
  const peak = process.resourceUsage().maxRSS * 1024;
  return { records, cpu: user + system, peak, inUse };
}

process.on('message', async ({ url, options }) => process.send(await readAll(url, options)));
process.once('disconnect', () => process.exit());
process.send({ ready: true });
