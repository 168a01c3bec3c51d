import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { nodeHandler, receiveEvents, type ServerRequest } from '../../src/builder.ts';
import { serveHttp } from '../support/serve-http.ts';
import { parametersOf } from './fixtures.ts';
import { account, address, signedForm, signedJson } from './signed.ts';

const sms = parametersOf('sms-received');
const replied =
  '<?xml version="1.0" encoding="UTF-8"?><Response><Message>Thank you!</Message></Response>';

/** A builder's web server, which may parse the body itself. */
async function serve(parse: (request: IncomingMessage) => Promise<ServerRequest> | ServerRequest) {
  const delivered: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: ({ record }) => {
      delivered.push(String(record.sid));
      return 'Thank you!';
    },
  });
  const { url } = await serveHttp(async (request, response) => {
    await nodeHandler(receive)(await parse(request), response);
  });
  return { url, delivered };
}

interface Posted {
  status: number;
  type: string | null;
  body: string;
}

async function post(url: string, body: string, headers: object): Promise<Posted> {
  const { host: _, ...others } = Object.fromEntries(Object.entries(headers));
  const response = await fetch(url, { method: 'POST', body, headers: others });
  const type = response.headers.get('content-type');
  return { status: response.status, type, body: await response.text() };
}

const xml = { status: 200, type: 'text/xml; charset=utf-8', body: replied };
const forbidden = { status: 403, type: 'text/plain; charset=utf-8', body: 'Forbidden' };

const builders: [name: string, parse: Parameters<typeof serve>[0]][] = [
  ["Node's own server", (request) => request],
  ['a server that leaves an empty body', (request) => Object.assign(request, { body: {} })],
  [
    'a server that reads forms',
    async (request) => {
      const body = Object.fromEntries(new URLSearchParams(await text(request)));
      return Object.assign(request, { body });
    },
  ],
  [
    'a server that reads forms and keeps the text',
    async (request) => {
      const rawBody = await text(request);
      return Object.assign(request, { rawBody, body: { Body: 'changed' } });
    },
  ],
  [
    'a server that keeps the bytes, below a router',
    async (request) => {
      const { method, url = '', headers } = request;
      const rawBody = Buffer.from(await text(request));
      const none = (async function* () {})();
      return Object.assign(none, { method, url: '/', originalUrl: url, headers, rawBody });
    },
  ],
];

test.each(builders)('%s receives a form', async (_, parse) => {
  const { url, delivered } = await serve(parse);
  const { headers, body } = signedForm(sms);
  expect(await post(`${url}/events`, String(body), headers)).toEqual(xml);
  expect(await post(`${url}/events`, `${body}&x=1`, headers)).toEqual(forbidden);
  expect(delivered).toEqual([sms.MessageSid]);
});

test.each(builders.filter(([name]) => !/forms$/.test(name)))(
  '%s receives JSON',
  async (_, parse) => {
    const { url, delivered } = await serve(parse);
    const { headers, body, url: path } = signedJson(JSON.stringify(sms));
    expect(await post(url + path, String(body), headers)).toEqual(xml);
    expect(delivered).toEqual([sms.MessageSid]);
  },
);

test('a body that is too large gets the usual response, and the connection stays open', async () => {
  const { url, delivered } = await serve((request) => request);
  const { headers } = signedForm(sms);
  const large = 'x'.repeat(5_000_000);
  expect(await post(url, large, headers)).toEqual(forbidden);
  const endless = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 50; part += 1) controller.enqueue(Buffer.from(large.slice(0, 1e5)));
      controller.close();
    },
  });
  const { host: _, ...others } = headers as Record<string, string>;
  const answer = await fetch(url, {
    ...{ method: 'POST', body: endless, headers: others },
    ...{ duplex: 'half' as const },
  });
  expect([answer.status, await answer.text()]).toEqual([403, 'Forbidden']);
  expect(delivered).toEqual([]);
});

test('a client that disconnects before the end of the body delivers nothing', async () => {
  let ended = (_: unknown) => {};
  const handled = new Promise((resolve) => {
    ended = resolve;
  });
  const delivered: unknown[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: (event) => void delivered.push(event),
  });
  const { url } = await serveHttp((request, response) => {
    nodeHandler(receive)(request, response).then(() => ended('answered'), ended);
    socket.resetAndDestroy();
  });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\nBody=Hi');
  expect(await handled).toBe('answered');
  expect(delivered).toEqual([]);
});
