/**
 * A service with canned responses, in its own process, so that its work does not count as a client's CPU time. The first segment of
 * a path is the number of calls: `/calls-20/2010-04-01/...`. Sends its URL to its parent.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callPage, callRecord, messageRecord } from './records.ts';

const json = { 'Content-Type': 'application/json', 'Twilio-Request-Id': `RQ${'0'.repeat(32)}` };
const call = Buffer.from(JSON.stringify(callRecord(0)));
const tooMany = Buffer.from(JSON.stringify({ code: 20429, message: 'Too Many Requests' }));
const message = Buffer.from(JSON.stringify(messageRecord));

// All pages of a size differ only in the URL of the next page.
const pages = new Map<number, string[]>();
function aroundNext(size: number) {
  const known = pages.get(size) ?? JSON.stringify(callPage(size, 'NEXT')).split('"NEXT"');
  pages.set(size, known);
  return known;
}

function pageOf({ pathname, searchParams }: URL) {
  const count = Number(/^\/calls-(\d+)\//.exec(pathname)?.[1] ?? 1000);
  const size = Number(searchParams.get('PageSize') ?? 50);
  const page = Number(searchParams.get('Page') ?? 0);
  const isLast = (page + 1) * size >= count;
  const next = isLast ? null : `${pathname}?PageSize=${size}&Page=${page + 1}`;
  const [start = '', end = ''] = aroundNext(Math.min(size, count - page * size));
  return Buffer.from(start + JSON.stringify(next) + end);
}

/** The counts of requests below a path such as `/limit-50-name/`, which has a limit of 50 requests per second. */
const counts = new Map<
  string,
  { second: number; inSecond: number; taken: number; refused: number }
>();
const nothing = { second: 0, inSecond: 0, taken: 0, refused: 0 };

function isTaken(place: string, limit: number) {
  const count = counts.get(place) ?? { ...nothing };
  counts.set(place, count);
  const second = Math.floor(Date.now() / 1000);
  if (second !== count.second) count.inSecond = 0;
  count.second = second;
  const fits = count.inSecond < limit;
  count.inSecond += 1;
  count[fits ? 'taken' : 'refused'] += 1;
  return fits;
}

function answer(request: IncomingMessage, response: ServerResponse) {
  const { method, url = '' } = request;
  const send = (status: number, body: Buffer) =>
    response.writeHead(status, { ...json, 'Content-Length': body.length }).end(body);
  const [, place = '', limit] = /^\/(limit-(\d+)-[\w-]+)\//.exec(url) ?? [];
  if (place && method === 'GET') return send(200, Buffer.from(JSON.stringify(counts.get(place))));
  if (place && !isTaken(place, Number(limit))) {
    response.setHeader('Retry-After', 1);
    return request.resume().on('end', () => send(429, tooMany));
  }
  if (method === 'POST') return request.resume().on('end', () => send(201, message));
  if (url.includes('/Calls/')) return send(200, call);
  return send(200, pageOf(new URL(url, 'http://localhost')));
}

const server = http.createServer({ keepAliveTimeout: 60_000 }, answer);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});
process.once('disconnect', () => process.exit());
