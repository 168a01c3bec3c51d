import { expectPicture } from '../../support/expect-picture.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';

let host: Host;
let url: string;
let sid: string;
let address: string;
const flashed: string[][] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  Object.assign(host.sandbox.recordings[1] ?? {}, { encryption_details: { encryption_cek: 'x' } });
  const table = await createTable('voices', 'Telephony: Recordings by caller id');
  const [row] = await table.getRows({}, { limit: 1 });
  sid = row.sid;
  address = row.media;
  const served = await serveHttp((request: Loose, response) => {
    const route = state().plugin_routes.telephony.find(({ url }: Loose) => url.includes('/media/'));
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    const [, , , name, recording] = pathname.split('/') as [string, string, string, string, string];
    request.query = Object.fromEntries(searchParams);
    request.params = { table: decodeURIComponent(name), sid: decodeURIComponent(recording) };
    request.flash = (...messages: string[]) => flashed.push(messages);
    request.res = response;
    request.user = request.headers['x-user'] && JSON.parse(request.headers['x-user']);
    inRequest(request, () => route.callback(request, response));
  });
  url = served.url;
});
beforeEach(() => takeRequests(host.sandbox));

/** Runs something like Saltcorn for a request. */
const inRequest = <T>(req: Loose, act: () => T): T =>
  saltcorn('data/db').runWithTenant({ tenant: 'public', req }, act);

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
const asUser = (user: object) => ({ 'x-user': JSON.stringify(user) });

const admin = asUser({ id: 1, role_id: 1 });
const staff = asUser({ id: 2, role_id: 40 });

test('a row contains its audio URL', () => {
  const [recording] = host.sandbox.recordings;
  expect(address).toBe(`/telephony/media/voices/${sid}?callSid=${recording?.call_sid}`);
});

test('the server relays a recording without credentials in the browser', async () => {
  const answer = await get(address, admin);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('audio/x-wav');
  const audio = Buffer.from(await answer.arrayBuffer());
  expect(audio.subarray(0, 4).toString()).toBe('RIFF');
  expect(audio).toHaveLength(Number(answer.headers.get('content-length')));
  expect(takeRequests(host.sandbox).at(-1)).toBe(`GET /Recordings/${sid}.mp3`);
});

test('the server finds a recording by its call', async () => {
  const [recording] = host.sandbox.recordings;
  const table = await createTable('of-call', 'Telephony: Get all Recordings for a given Call');
  const [row] = await table.getRows({ callSid: recording?.call_sid });
  expect(row.media).toBe(`/telephony/media/of-call/${row.sid}?callSid=${recording?.call_sid}`);
  expect((await get(row.media, admin)).status).toBe(200);
  expect((await get(`/telephony/media/of-call/${row.sid}?callSid=CA404`, admin)).status).toBe(404);
});

test('the server relays a range request as a range', async () => {
  const answer = await get(address, { ...admin, range: 'bytes=0-3' });
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-range')).toMatch(/^bytes 0-3\/\d+$/);
  expect(await answer.text()).toBe('RIFF');
});

const notThere = 'There is no such file, or you may not access it.';

const refused: [who: string, path: () => string, headers: Record<string, string>][] = [
  ['a guest', () => address, {}],
  ['a user who may not read the table', () => address, staff],
  ['a native table', () => `/telephony/media/users/${sid}`, admin],
  ['an unknown table', () => `/telephony/media/nowhere/${sid}`, admin],
  ['a recording that is not in the table', () => '/telephony/media/voices/RE404', admin],
  [
    'a path that leaves its folder',
    () => `/telephony/media/voices/${encodeURIComponent('../../x')}`,
    admin,
  ],
];

test.each(refused)('the server plays nothing for %s', async (_, path, headers) => {
  const answer = await get(path(), headers);
  expect([answer.status, await answer.text()]).toEqual([404, notThere]);
  expect(takeRequests(host.sandbox).filter((request) => request.includes('.mp3'))).toEqual([]);
});

describe('the pictures of a message', () => {
  /** The rows of the pictures of a message that comes in with them. */
  async function pictures(name: string) {
    const { sid: parentSid } = host.sandbox.receiveMessage({
      ...{ from: '+12025550143', to: '+14155550100', body: 'Look', pictures: 2 },
    });
    const table = await createTable(name, 'Telephony: Media of a Message');
    return table.getRows({ parentSid });
  }

  test('are shown only to users who may read the table', async () => {
    const [row] = await pictures('pictures');
    expect(row.media).toBe(`/telephony/media/pictures/${row.sid}?parentSid=${row.parentSid}`);
    takeRequests(host.sandbox);
    for (const headers of [{}, staff]) expect((await get(row.media, headers)).status).toBe(404);
    expect(takeRequests(host.sandbox).filter((one) => one.endsWith(row.sid))).toEqual([]);
    await expectPicture(await get(row.media, admin));
    const path = `GET /Messages/${row.parentSid}/Media/${row.sid}`;
    expect(takeRequests(host.sandbox).at(-1)).toBe(path);
  });

  test('are images in a list', async () => {
    const [row] = await pictures('seen');
    const { Picture } = state().types;
    const shown = Picture.fieldviews.show.run(row.media);
    expect(shown).toBe(
      `<a href="${row.media}" target="_blank" rel="noopener"><img src="${row.media}" alt="Picture" loading="lazy" style="max-width: 100%; max-height: 10rem"></a>`,
    );
    for (const reason of ['Only pictures can be shown.', 'https://x.test/a.png', '//x.test/a', ''])
      expect(Picture.fieldviews.show.run(reason)).toBe(reason);
    expect(Picture.fieldviews.show.run('<b>')).toBe('&lt;b&gt;');
  });
});

test('an encrypted recording says so instead of its URL, and when it is requested', async () => {
  const encrypted =
    "This recording is encrypted. To play it, download it from your account's console and decrypt it with your key.";
  const [, recording] = host.sandbox.recordings;
  const table = await createTable('encrypted', 'Telephony: Recordings by caller id');
  const row = await table.getRow({ sid: recording?.sid });
  expect([row.media, row.encryptionDetails]).toEqual([encrypted, 'yes']);
  const answer = await get(`/telephony/media/encrypted/${recording?.sid}`, admin);
  expect([answer.status, await answer.text()]).toEqual([404, encrypted]);
  expect(takeRequests(host.sandbox).filter((request) => request.includes('.mp3'))).toEqual([]);
});

test('the server explains that the service cannot return a recording', async () => {
  host.sandbox.faults.add({ name: 'server-error', path: '\\.mp3', times: 10 });
  const answer = await get(address, admin);
  host.sandbox.faults.clear();
  expect([answer.status, await answer.text()]).toEqual([
    502,
    'The recording is currently unavailable.',
  ]);
});

describe('a recording plays for', () => {
  const caller = '+12025550143';
  const owner = { id: 2, role_id: 40, phone: caller, phones: [caller] };
  const other = { id: 3, role_id: 40, phone: '+12125550117', phones: ['+12125550117'] };

  const formulas: [formula: string, where: object][] = [
    ['from === user.phone', {}],
    ['user.phone === from', { from: caller }],
    ['user.phones.includes(from)', { from: caller }],
    ['callSid.from === user.phone', {}],
  ];

  it.each(formulas)('an owner by the formula %s', async (ownership_formula, where) => {
    await createTable('calls', 'Telephony: Account Calls');
    const table = await createTable('owned', 'Telephony: Recordings by caller id', {
      key_callSid: 'calls',
    });
    await table.update({ ownership_formula, min_role_read: 1 });
    await state().refresh_tables();
    const rows = await findTable('owned').getRows(where, { forUser: owner, limit: 20 });
    expect(rows.length).toBeGreaterThan(3);
    for (const { media } of rows) {
      expect((await get(media, asUser(owner))).status).toBe(200);
      expect((await get(media, asUser(other))).status).toBe(404);
      expect((await get(media)).status).toBe(404);
    }
    const theirs = rows.map((row: Loose) => row.sid);
    const [foreign] = (await findTable('owned').getRows({}, { limit: 50 })).filter(
      (row: Loose) => !theirs.includes(row.sid),
    );
    const forged = `${foreign.media.replace(/[?&]from=[^&]*/, '')}&from=${encodeURIComponent(caller)}`;
    for (const address of [foreign.media, forged])
      expect((await get(address, asUser(owner))).status).toBe(404);
    await findTable('owned').delete();
    await findTable('calls').delete();
  });

  it('anyone, if the table is public', async () => {
    const table = await createTable('public', 'Telephony: Recordings by caller id');
    await table.update({ min_role_read: 100 });
    await state().refresh_tables();
    const [row] = await findTable('public').getRows({}, { limit: 1 });
    expect((await get(row.media)).status).toBe(200);
  });
});

describe('a visitor of a public player', () => {
  const settings = () => ({ ...host.settings, password: 'wrong-password' });

  it.each([
    ['sees nothing about the account', {}, 'It is currently unavailable.'],
    ['who is an administrator sees what to change', admin, /rejected the credentials|allow access/],
  ])('%s', async (_, headers, sentence) => {
    const { media } = (await findTable('public').getRows({}, { limit: 1 }))[0];
    await installPlugin(artefact, settings());
    const answer = await get(media, headers);
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringMatching(sentence)]);
    await installPlugin(artefact, host.settings);
  });

  it('who opens the URL as a page sees the error there, not on the next page', async () => {
    const { media } = (await findTable('public').getRows({}, { limit: 1 }))[0];
    host.sandbox.faults.add({ name: 'server-error', path: '/Recordings\\.json', times: 9 });
    await host.forget();
    const answer = await get(media, { accept: 'text/html' });
    host.sandbox.faults.clear();
    expect([answer.status, flashed]).toEqual([502, []]);
  });
});

test('the server plays every recording in the list of a caller, even if many are newer', async () => {
  const caller = '+12025550143';
  const { calls, recordings } = host.sandbox;
  const [first] = recordings;
  const foreign = calls.find(({ from }) => from !== caller);
  if (!first || !foreign) throw new Error('The sandbox has no recordings.');
  const newer = Array.from({ length: 1_200 }, (_, index) => ({
    ...first,
    sid: `RE${String(index).padStart(32, '0')}`,
    call_sid: foreign.sid,
  }));
  recordings.unshift(...newer);
  await host.forget();
  const rows = await findTable('voices').getRows({ from: caller }, { limit: 20 });
  expect(rows.length).toBeGreaterThan(5);
  for (const { media } of rows) expect((await get(media, admin)).status).toBe(200);
  await host.forget();
  const [{ sid, callSid, media }] = rows;
  await get(media, admin);
  expect(takeRequests(host.sandbox)).toEqual([
    `GET /Recordings.json?CallSid=${callSid}&PageSize=20`,
    `GET /Recordings/${sid}.mp3`,
  ]);
});
