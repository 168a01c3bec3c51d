import { expectPicture } from '../../support/expect-picture.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { accountNode, type Host, type Loose, runNode, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

let host: Host;
let sid: string;
let sourceOfAddress: (settings: object) => Promise<string | undefined>;
beforeAll(async () => {
  host = await startNodeRed(undefined, {
    httpNodeMiddleware: (request: Loose, response: Loose, next: () => void) =>
      request.headers['x-stranger'] ? response.writeHead(403).end('Not for you.') : next(),
  });
  sourceOfAddress = async (settings) => {
    const node = { id: 'voices', ...nodeOf('recordings-by-caller-id'), limit: '1' };
    const { sent } = await runNode(host, node, accountNode(host.sandbox, settings));
    sid = sent[0].payload[0].sid;
    return sent[0].payload[0].media;
  };
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(host.url + path, { headers });

test('a recording has an audio URL only if the account serves audio', async () => {
  expect(await sourceOfAddress({})).toBeUndefined();
  expect(await sourceOfAddress({ media: true })).toBe(`/telephony/media/account/recording/${sid}`);
});

test('an encrypted recording has no audio URL', async () => {
  const [recording] = host.sandbox.recordings;
  Object.assign(recording ?? {}, { encryption_details: { encryption_cek: 'x' } });
  expect(await sourceOfAddress({ media: true })).toBeUndefined();
  Object.assign(recording ?? {}, { encryption_details: null });
});

test('a record without audio has no audio URL', async () => {
  const node = { id: 'calls', ...nodeOf('account-calls'), limit: '1' };
  const { sent } = await runNode(host, node, accountNode(host.sandbox, { media: true }));
  expect(sent[0].payload[0]).not.toHaveProperty('media');
});

describe('with an account that serves audio', () => {
  let address: string;
  beforeAll(async () => {
    address = (await sourceOfAddress({ media: true })) ?? '';
  });
  beforeEach(() => takeRequests(host.sandbox));

  test('Node-RED relays a recording without credentials in the browser', async () => {
    const answer = await get(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('audio/x-wav');
    const sound = Buffer.from(await answer.arrayBuffer());
    expect(sound.subarray(0, 4).toString()).toBe('RIFF');
    expect(sound).toHaveLength(Number(answer.headers.get('content-length')));
    expect(takeRequests(host.sandbox)).toEqual([`GET /Recordings/${sid}.mp3`]);
  });

  test('Node-RED relays a range request as a range', async () => {
    const answer = await get(address, { range: 'bytes=0-3' });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toMatch(/^bytes 0-3\/\d+$/);
    expect(await answer.text()).toBe('RIFF');
  });

  const refused: [what: string, path: () => string, status: number, requests: number][] = [
    ['a missing recording', () => address.replace(sid, 'RE404'), 404, 1],
    ['a record type without audio', () => address.replace('/recording/', '/call/'), 404, 0],
    [
      'a path that leaves its folder',
      () => address.replace(sid, encodeURIComponent('../../x')),
      404,
      0,
    ],
    ['an unknown account', () => address.replace('account', 'other'), 404, 0],
    ['a node that is not an account', () => address.replace('account', 'voices'), 404, 0],
  ];
  test.each(refused)('Node-RED does not play %s', async (_, path, status, requests) => {
    const answer = await get(path());
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(takeRequests(host.sandbox)).toHaveLength(requests);
  });

  test('httpNodeMiddleware also guards recordings', async () => {
    const answer = await get(address, { 'x-stranger': 'yes' });
    expect([answer.status, await answer.text()]).toEqual([403, 'Not for you.']);
    expect(takeRequests(host.sandbox)).toEqual([]);
  });

  test('Node-RED plays nothing once the account stops serving audio', async () => {
    await host.deploy([accountNode(host.sandbox)]);
    const answer = await get(address);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      'There is no such file, or you may not access it.',
    ]);
    expect(takeRequests(host.sandbox)).toEqual([]);
  });
});

describe('the pictures of a message', () => {
  /** The URL of the first picture, and the requests to the service for it. */
  async function firstPicture(settings: object) {
    const { sid: messageSid } = host.sandbox.receiveMessage({
      ...{ from: '+12025550143', to: '+14155550100', body: 'Look', pictures: 2 },
    });
    const node = {
      ...{ id: 'files', ...nodeOf('media-of-a-message'), inputMessageSid: messageSid },
    };
    const { sent } = await runNode(host, node, accountNode(host.sandbox, settings));
    const [file] = sent[0].payload;
    return { path: file.media, request: `GET /Messages/${messageSid}/Media/${file.sid}` };
  }

  test('have a URL that shows each, if the account serves media', async () => {
    const { path, request } = await firstPicture({ media: true });
    takeRequests(host.sandbox);
    await expectPicture(await get(path));
    expect(takeRequests(host.sandbox)).toEqual([request]);
  });

  test('have no URL otherwise', async () => {
    expect((await firstPicture({})).path).toBeUndefined();
  });
});

describe('a response of the service', () => {
  const script = '<script xmlns="http://www.w3.org/2000/svg">alert(document.domain)</script>';
  let type: string;
  beforeAll(async () => {
    const { url } = await serveHttp((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(script),
    );
    await host.deploy([accountNode(host.sandbox, { media: true, baseUrl: url })]);
  });

  const guards = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };
  const [recording, file] = ['recording/RE1', 'file/MM1.ME1'];
  const answers: [type: string, of: string, status: number][] = [
    ['text/html', recording, 502],
    ['image/svg+xml', recording, 502],
    ['application/xhtml+xml; charset=utf-8', recording, 502],
    ['image/png', recording, 502],
    ['audio/mpeg', recording, 200],
    ['text/html', file, 502],
    ['image/svg+xml', file, 502],
    ['audio/mpeg', file, 502],
    ['image/png', file, 200],
  ];
  test.each(answers)('never runs as a script in Node-RED: %s of %s', async (served, of, status) => {
    type = served;
    const answer = await get(`/telephony/media/account/${of}`);
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...guards,
      'content-type': status === 200 ? served : 'text/plain; charset=utf-8',
    });
    expect((await answer.text()).includes('script')).toBe(status === 200);
  });
});
