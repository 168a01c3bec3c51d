/**
 * A service of canned answers, in a process of its own, so that its work is nobody's CPU time. The first segment of a
 * path says how many pages a list has: `/pages-20/2010-04-01/...`. Sends its URL to its parent.
 */
import http from 'node:http';
import { callPage, callRecord, messageRecord } from './records.mjs';

const json = { 'Content-Type': 'application/json' };
const call = Buffer.from(JSON.stringify(callRecord(0)));
const message = Buffer.from(JSON.stringify(messageRecord));

// Everything but the address of the next page is the same in every page.
const [start, end] = JSON.stringify(callPage('NEXT')).split('"NEXT"');

function pageOf({ pathname, searchParams }) {
  const number = Number(searchParams.get('Page') ?? 0) + 1;
  const count = Number(/^\/pages-(\d+)\//.exec(pathname)?.[1] ?? 1);
  const next = number < count ? `${pathname}?PageSize=1000&Page=${number}` : null;
  return Buffer.from(start + JSON.stringify(next) + end);
}

function answer(request, response) {
  const send = (status, body) =>
    response.writeHead(status, { ...json, 'Content-Length': body.length }).end(body);
  if (request.method === 'POST') return request.resume().on('end', () => send(201, message));
  if (request.url.includes('/Calls/')) return send(200, call);
  return send(200, pageOf(new URL(request.url, 'http://localhost')));
}

const server = http.createServer({ keepAliveTimeout: 60_000 }, answer);
server.listen(0, '127.0.0.1', () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}` }),
);
process.once('disconnect', () => process.exit());
