import { serveHttp } from '../serve-http.ts';
import { takeRequests } from '../take-requests.ts';
import { createTable } from './app.ts';
import { type Host, type Loose, startSaltcorn, state } from './host.ts';

let host: Host;
let url: string;
let sid: string;
let address: string;
beforeAll(async () => {
  host = await startSaltcorn();
  const table = await createTable('voices', 'Telephony: Recordings by caller id');
  const [row] = await table.getRows({}, { limit: 1 });
  sid = row.sid;
  address = row.media;
  const served = await serveHttp((request: Loose, response) => {
    const route = state().plugin_routes.telephony.find(({ url }: Loose) => url.includes('/media/'));
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    const [, , , name, recording] = pathname.split('/') as [string, string, string, string, string];
    request.query = Object.fromEntries(searchParams);
    const role = request.headers['x-role'];
    request.params = { table: decodeURIComponent(name), sid: decodeURIComponent(recording) };
    request.user = role ? { role_id: Number(role) } : undefined;
    route.callback(request, response);
  });
  url = served.url;
});
beforeEach(() => takeRequests(host.sandbox));

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

const admin = { 'x-role': '1' };

test('a row says where it can be heard', () => {
  expect(address).toBe(`/telephony/media/voices/${sid}`);
});

test('the server passes the sound on, without credentials in the browser', async () => {
  const answer = await get(address, admin);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('audio/x-wav');
  const sound = Buffer.from(await answer.arrayBuffer());
  expect(sound.subarray(0, 4).toString()).toBe('RIFF');
  expect(sound).toHaveLength(Number(answer.headers.get('content-length')));
  expect(takeRequests(host.sandbox).at(-1)).toBe(`GET /Recordings/${sid}.mp3`);
});

test('a recording of one call is found by that call', async () => {
  const [recording] = host.sandbox.recordings;
  const table = await createTable('of-call', 'Telephony: Get all Recordings for a given Call');
  const [row] = await table.getRows({ callSid: recording?.call_sid });
  expect(row.media).toBe(`/telephony/media/of-call/${row.sid}?callSid=${recording?.call_sid}`);
  expect((await get(row.media, admin)).status).toBe(200);
  expect((await get(`/telephony/media/of-call/${row.sid}?callSid=CA404`, admin)).status).toBe(404);
});

test('a part is asked for and passed on as a part', async () => {
  const answer = await get(address, { ...admin, range: 'bytes=0-3' });
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-range')).toMatch(/^bytes 0-3\/\d+$/);
  expect(await answer.text()).toBe('RIFF');
});

const notThere = 'There is no such recording, or it is not for you.';

const refused: [who: string, path: () => string, headers: Record<string, string>][] = [
  ['a visitor', () => address, {}],
  ['someone who may not read the table', () => address, { 'x-role': '40' }],
  ['a table that is not ours', () => `/telephony/media/users/${sid}`, admin],
  ['a table that is not there', () => `/telephony/media/nowhere/${sid}`, admin],
  ['a recording that is not in the table', () => '/telephony/media/voices/RE404', admin],
  ['a way out', () => `/telephony/media/voices/${encodeURIComponent('../../x')}`, admin],
];

test.each(refused)('%s hears nothing', async (_, path, headers) => {
  const answer = await get(path(), headers);
  expect([answer.status, await answer.text()]).toEqual([404, notThere]);
  expect(takeRequests(host.sandbox).filter((request) => request.includes('.mp3'))).toEqual([]);
});

test('a service that does not answer is said in a sentence', async () => {
  host.sandbox.faults.add({ name: 'server-error', path: '\\.mp3' });
  const answer = await get(address, admin);
  expect([answer.status, await answer.text()]).toEqual([
    502,
    'The recording cannot be played at the moment.',
  ]);
});
