import { errorPayload, get, given, NOW_TEXT, pathOf, post, request, sandboxFor } from './client.ts';

test('starting a recording stores it, and starting it again returns the same one', async () => {
  const sandbox = await sandboxFor();
  const before = sandbox.recordings.length;
  const call = given(sandbox.calls.find(({ status }) => status === 'in-progress'));
  const started = await post(sandbox, `/Calls/${call.sid}/Recordings.json`);
  const path = pathOf(sandbox, `/Recordings/${started.body.sid}`);
  expect(started).toEqual({
    status: 201,
    body: {
      account_sid: sandbox.username,
      api_version: '2010-04-01',
      call_sid: call.sid,
      conference_sid: null,
      date_created: NOW_TEXT,
      date_updated: NOW_TEXT,
      start_time: NOW_TEXT,
      duration: '-1',
      sid: expect.stringMatching(/^RE[0-9a-f]{32}$/),
      price: null,
      price_unit: 'USD',
      status: 'in-progress',
      channels: 1,
      source: 'StartCallRecordingAPI',
      error_code: null,
      uri: `${path}.json`,
      encryption_details: null,
      subresource_uris: {
        add_on_results: `${path}/AddOnResults.json`,
        transcriptions: `${path}/Transcriptions.json`,
      },
      media_url: sandbox.origin + path,
    },
  });
  const again = await request(sandbox, 'POST', `/Calls/${call.sid}/Recordings.json`);
  expect([again.status, await again.json()]).toEqual([201, started.body]);
  expect(sandbox.recordings.length).toBe(before + 1);
  expect(sandbox.requests.map(({ status, stored }) => [status, stored])).toEqual([
    [201, started.body.sid],
    [201, null],
  ]);
});

test.each(['queued', 'ringing', 'completed', 'busy', 'failed', 'no-answer', 'canceled'])(
  'the sandbox refuses to record a call that is %s',
  async (status) => {
    const sandbox = await sandboxFor();
    const before = sandbox.recordings.length;
    const call = given(sandbox.calls.find((one) => one.status === status));
    const refused = 'Requested resource is not eligible for recording';
    expect(await post(sandbox, `/Calls/${call.sid}/Recordings.json`)).toEqual(
      errorPayload(21220, 400, refused),
    );
    expect(sandbox.recordings.length).toBe(before);
  },
);

test('recording an unknown call gets status 404', async () => {
  const sandbox = await sandboxFor();
  const path = pathOf(sandbox, '/Calls/CA0/Recordings.json');
  expect(await post(sandbox, path)).toEqual(
    errorPayload(20404, 404, `The requested resource ${path} was not found`),
  );
});

test.each([
  ['unknown', 404, 20404],
  ['complete', 400, 21220],
])('stopping an %s recording gets status %d', async (which, status, code) => {
  const sandbox = await sandboxFor();
  const { sid, call_sid } = given(sandbox.recordings[0]);
  const path = `/Calls/${call_sid}/Recordings/${which === 'unknown' ? 'RE0' : sid}.json`;
  expect(await post(sandbox, path, { Status: 'stopped' })).toMatchObject({
    status,
    body: { code },
  });
});

test('the sandbox lists the recordings of one call', async () => {
  const sandbox = await sandboxFor();
  const sid = given(sandbox.recordings[0]).call_sid;
  const { body } = await get(sandbox, `/Recordings.json?CallSid=${sid}&PageSize=20`);
  const wanted = sandbox.recordings.filter(({ call_sid }) => call_sid === sid);
  expect([body.recordings, body.page_size]).toEqual([wanted, 20]);
});

test('the sandbox lists the recordings of a range of dates', async () => {
  const sandbox = await sandboxFor();
  const query = 'DateCreated%3E=2026-03-06T10:00:00Z&DateCreated%3C=2026-03-10';
  const { body } = await get(sandbox, `/Recordings.json?PageSize=1000&${query}`);
  const wanted = sandbox.recordings.filter(({ date_created }) => {
    const time = Date.parse(date_created);
    return time >= Date.parse('2026-03-06T10:00Z') && time <= Date.parse('2026-03-10T00:00Z');
  });
  expect(wanted.length).toBeGreaterThan(1);
  expect(body.recordings).toEqual(wanted);
});

test.each([
  ['ignored', true],
  ['honoured', false],
])('the filter From is %s when ignoreRecordingsFrom is %s', async (_, ignoreRecordingsFrom) => {
  const sandbox = await sandboxFor({ ignoreRecordingsFrom });
  const caller = '+12025550143';
  const theirs = sandbox.calls.filter(({ from }) => from === caller).map(({ sid }) => sid);
  const { body } = await get(sandbox, `/Recordings.json?PageSize=1000&From=%2B12025550143`);
  const wanted = sandbox.recordings.filter(
    ({ call_sid }) => ignoreRecordingsFrom || theirs.includes(call_sid),
  );
  expect(wanted.length).toBeGreaterThan(1);
  expect(body.recordings).toEqual(wanted);
});

describe('recorded audio', () => {
  test.each(['', '.wav', '.mp3'])(
    'is a WAV file at the URL with the ending "%s"',
    async (ending) => {
      const sandbox = await sandboxFor();
      const answer = await request(
        sandbox,
        'GET',
        `/Recordings/${sandbox.recordings[0]?.sid}${ending}`,
      );
      const audio = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
      expect(audio.toString('latin1', 0, 16)).toBe(`RIFF\x24\x7d\x00\x00WAVEfmt `);
      expect(audio.length).toBe(44 + audio.readUInt32LE(40));
    },
  );

  test.each([
    ['bytes=0-3', 206, 'bytes 0-3/32044', 'RIFF'],
    ['bytes=32040-', 206, 'bytes 32040-32043/32044', null],
    ['bytes=40000-', 416, 'bytes */32044', ''],
  ])('honours the range %s', async (range, status, place, text) => {
    const sandbox = await sandboxFor();
    const path = `/Recordings/${sandbox.recordings[0]?.sid}.wav`;
    const answer = await request(sandbox, 'GET', path, { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, place]);
    if (text !== null) expect(await answer.text()).toBe(text);
  });

  test('gets status 404 for an unknown recording', async () => {
    const sandbox = await sandboxFor();
    expect((await get(sandbox, '/Recordings/RE0.wav')).status).toBe(404);
  });

  test('needs no credentials once media is public', async () => {
    const sandbox = await sandboxFor();
    const { media_url } = given(sandbox.recordings[0]);
    expect((await fetch(media_url)).status).toBe(401);
    sandbox.settings.publicMedia = true;
    expect((await fetch(media_url)).status).toBe(200);
  });
});
