/**
 * A service of canned answers, in a process of its own, so that its work is nobody's CPU time. The first segment of a
 * path says how many calls there are: `/calls-20/2010-04-01/...`. Sends its URL to its parent.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callPage, callRecord, messageRecord } from './records.ts';

const json = { 'Content-Type': 'application/json', 'Twilio-Request-Id': `RQ${'0'.repeat(32)}` };
const call = Buffer.from(JSON.stringify(callRecord(0)));
const message = Buffer.from(JSON.stringify(messageRecord));

// Everything but the address of the next page is the same in every page of a size.
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

function answer(request: IncomingMessage, response: ServerResponse) {
  const { method, url = '' } = request;
  const send = (status: number, body: Buffer) =>
    response.writeHead(status, { ...json, 'Content-Length': body.length }).end(body);
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
