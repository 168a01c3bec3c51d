/**
 * Reads a list to its end, in a process of its own: `node reader.mjs <plain|plugin> <url>`. Its parent asks for it as
 * often as it likes.
 */
import http from 'node:http';
import { plainRequest } from './contenders.mjs';
import { account, accountPath } from './records.mjs';

async function* plain(url) {
  const agent = new http.Agent({ keepAlive: true });
  const authorization = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
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

process.on('message', async ({ url }) => {
  const start = process.cpuUsage();
  let records = 0;
  for await (const page of read(url)) records += page.length;
  const { user, system } = process.cpuUsage(start);
  process.send({ records, cpu: user + system, peak: process.resourceUsage().maxRSS });
});
process.once('disconnect', () => process.exit());
process.send({ ready: true });
