import { text } from 'node:stream/consumers';
import nock from 'nock';
import { connect, definitions, type MediaOptions, mediaKey } from '../../src/builder.ts';
import { errorOf, parts } from './errors.ts';
import { account, accountPath, answerWith, basic, isolate, telephony } from './service.ts';

isolate();

const storage = 'https://storage.test';
const stored = `${storage}/bucket/RE1.mp3?signature=1`;
const type = { 'Content-Type': 'audio/mpeg' };
const path = `${accountPath}/Recordings/RE1.mp3`;
const request = 'GET /Recordings/{sid}.mp3';

const audio = { status: 200, body: 'sound', headers: type };
const redirect = (location: string, status = 302) => ({
  ...{ status, body: 'elsewhere' },
  headers: { Location: location, 'Content-Type': 'audio/mpeg' },
});

const open = (options?: MediaOptions) => telephony().media('recording', 'RE1', options);

/** The headers of a request for audio, without the credentials. */
const headersTo = (host: string) => ({
  ...{ host, accept: 'audio/*', 'accept-encoding': 'identity' },
  'user-agent': `telephony-plugin/${definitions.manifest.version}`,
});
const audioRequest = {
  method: 'GET',
  path,
  body: '',
  headers: { ...headersTo('service.test'), authorization: basic },
};

test('a recording is requested uncompressed, with the credentials', async () => {
  const sent = answerWith([audio]);
  const { status, headers, stream } = await open();
  expect([status, headers, await text(stream)]).toEqual([
    200,
    { 'content-type': 'audio/mpeg' },
    'sound',
  ]);
  expect(sent).toEqual([audioRequest]);
});

test.each([301, 302, 303, 307, 308])(
  'a redirect by %i to another host is followed without the credentials',
  async (status) => {
    const atService = answerWith([redirect(stored, status)]);
    const atStorage = answerWith([audio], storage);
    expect(await text((await open()).stream)).toBe('sound');
    expect(atService).toEqual([audioRequest]);
    expect(atStorage).toEqual([
      {
        method: 'GET',
        path: '/bucket/RE1.mp3?signature=1',
        body: '',
        headers: headersTo('storage.test'),
      },
    ]);
  },
);

test('a requested range is passed on to the storage', async () => {
  answerWith([redirect(stored)]);
  const part = { status: 206, body: 'so', headers: { ...type, 'Content-Range': 'bytes 0-1/5' } };
  const atStorage = answerWith([part], storage);
  const { status, headers, stream } = await open({ range: 'bytes=0-1' });
  expect([status, headers, await text(stream)]).toEqual([
    206,
    { 'content-type': 'audio/mpeg', 'content-range': 'bytes 0-1/5' },
    'so',
  ]);
  expect(atStorage[0]?.headers).toEqual({ ...headersTo('storage.test'), range: 'bytes=0-1' });
});

test.each(['/media/RE1.mp3', './../../media/RE1.mp3', `${account.baseUrl}/media/RE1.mp3`])(
  'a redirect to another path of the service, %s, is followed without the credentials',
  async (location) => {
    const sent = answerWith([redirect(location), audio]);
    expect(await text((await open()).stream)).toBe('sound');
    expect(sent).toHaveLength(2);
    expect(sent[1]?.headers).toEqual(headersTo('service.test'));
  },
);

test('credentials in a redirect URL are not sent', async () => {
  answerWith([redirect('https://me:secret@storage.test/RE1.mp3')]);
  const atStorage = answerWith([audio], storage);
  expect(await text((await open()).stream)).toBe('sound');
  expect(atStorage[0]).toMatchObject({ path: '/RE1.mp3', headers: headersTo('storage.test') });
  expect(atStorage[0]?.headers).not.toHaveProperty('authorization');
});

const unplayable = {
  ...{ code: 'unavailable', message: 'The recording is currently unavailable.', request },
};

test.each([
  ['http', 'http://storage.test/RE1.mp3'],
  ['http at the same host', 'http://service.test/RE1.mp3'],
  ['a file', 'file:///etc/passwd'],
  ['data', 'data:audio/mpeg,sound'],
  ['an incomplete URL', 'https://'],
  ['an empty URL', ''],
  ['a URL with our password', `${storage}/?p=${account.password}`],
  ['a URL with our credentials', `${storage}/?p=${basic.slice('Basic '.length)}`],
])('a redirect to %s is not followed', async (_, location) => {
  const sent = answerWith([redirect(location), audio]);
  const others = ['http://storage.test', 'http://service.test', storage].map((origin) =>
    answerWith([audio], origin),
  );
  expect(parts(await errorOf(open()))).toEqual({ ...unplayable, status: 302 });
  expect([sent.length, others]).toEqual([1, [[], [], []]]);
});

test('a service on this machine may redirect to its own address without https', async () => {
  const baseUrl = 'http://127.0.0.1:9999';
  const sent = answerWith([redirect('/stored/RE1.mp3'), audio], baseUrl);
  const { stream } = await connect({ ...account, baseUrl }).media('recording', 'RE1');
  expect(await text(stream)).toBe('sound');
  const headers = headersTo('127.0.0.1:9999');
  expect(sent).toEqual([
    { ...audioRequest, headers: { ...headers, authorization: basic } },
    { ...audioRequest, path: '/stored/RE1.mp3', headers },
  ]);
});

test('a redirect without a location is not followed', async () => {
  const sent = answerWith([{ status: 302, body: '' }, audio]);
  expect(parts(await errorOf(open()))).toEqual({ ...unplayable, status: 302 });
  expect(sent).toHaveLength(1);
});

test('a Location header of a successful response is ignored', async () => {
  answerWith([{ ...audio, headers: { ...type, Location: stored } }]);
  expect(await text((await open()).stream)).toBe('sound');
});

const atStorage: [answer: Parameters<typeof answerWith>[0][number], error: object][] = [
  [redirect(`${storage}/again`), { ...unplayable, status: 302 }],
  [
    { status: 404, body: '' },
    {
      code: 'not-found',
      message: 'This recording has no audio (yet).',
      status: 404,
      request,
    },
  ],
  [
    { status: 403, body: '' },
    {
      code: 'unauthorised',
      message: 'The service does not allow access to this recording.',
      status: 403,
      request,
    },
  ],
  [
    { status: 503, body: '' },
    { ...unplayable, status: 503 },
  ],
  [
    { status: 200, body: '<html>', headers: { 'Content-Type': 'text/html' } },
    { code: 'bad-answer', message: 'The service did not return audio.', status: 200, request },
  ],
];

test.each(atStorage)(
  'the response %j of a storage is an error and is not retried',
  async (answer, error) => {
    answerWith([redirect(stored)]);
    const sent = answerWith([answer, audio], storage);
    expect(parts(await errorOf(open()))).toEqual(error);
    expect(sent).toHaveLength(1);
  },
);

test('an unreachable storage is an error', async () => {
  answerWith([redirect(stored)]);
  nock(storage)
    .get(/.*/)
    .replyWithError(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
  expect(parts(await errorOf(open()))).toEqual(unplayable);
});

test('an encrypted recording is refused without a request', async () => {
  const details = [{ encryption_cek: 'x' }, {}, null, undefined, ''];
  const recordings = details.map((encryption_details) => ({
    sid: 'RE1',
    call_sid: 'CA1',
    encryption_details,
  }));
  const sent = answerWith([{ status: 200, body: { recordings } }, audio, audio]);
  const { records } = await telephony().run('get-all-recordings-for-a-given-call', {
    callSid: 'CA1',
  });
  expect(records.map(({ encryptionDetails }) => encryptionDetails)).toEqual([
    'yes',
    null,
    null,
    null,
    null,
  ]);
  const [encrypted, plain] = records;
  if (!encrypted || !plain) throw new Error('The list is incomplete.');
  expect(parts(await errorOf(telephony().media('recording', encrypted)))).toEqual({
    code: 'not-found',
    message:
      "This recording is encrypted. To play it, download it from your account's console and decrypt it with your key.",
  });
  expect(sent).toHaveLength(1);
  expect(await text((await telephony().media('recording', plain)).stream)).toBe('sound');
  expect(sent[1]?.path).toBe(path);
});

const noSid =
  'The SID of a record must be an ID from the service: up to 64 letters, digits, "-" or "_".';

test.each([
  ['call', 'CA1', 'A record "call" has no media.'],
  ['recording', '../AC2', noSid],
  ['recording', 'R'.repeat(65), noSid],
  ['recording', '', noSid],
  ['recording', {}, noSid],
  ['recording', { sid: null }, noSid],
  ['recording', { sid: ['RE1'] }, noSid],
  ['file', 'ME1', noSid],
  ['file', { sid: 'ME1' }, noSid],
  ['file', { sid: 'ME1', parentSid: '../MM1' }, noSid],
  ['file', 'MM1.ME1.ME2', noSid],
  [
    'tape',
    'RE1',
    `Unknown record type "tape". Choose one of: ${definitions.records.map(({ id }) => id).join(', ')}.`,
  ],
])('media of a %s %j fails before anything is sent', async (shape, key, message) => {
  const sent = answerWith([]);
  expect(parts(await errorOf(telephony().media(shape, key)))).toEqual({ code: 'input', message });
  expect(sent).toEqual([]);
});

describe('a picture', () => {
  const file = { sid: 'ME1', parentSid: 'MM1' };
  const picture = { status: 200, body: 'pixels', headers: { 'Content-Type': 'image/png' } };
  const at = 'GET /Messages/{parentSid}/Media/{sid}';

  test.each([
    ['its record', { ...file, contentType: 'image/png' }],
    ['its media key', mediaKey('file', file) ?? ''],
  ])('is requested by %s', async (_, of) => {
    const sent = answerWith([picture]);
    const { status, headers, stream } = await telephony().media('file', of);
    expect([status, headers, await text(stream)]).toEqual([
      200,
      { 'content-type': 'image/png' },
      'pixels',
    ]);
    expect(sent).toEqual([
      {
        ...{ method: 'GET', path: `${accountPath}/Messages/MM1/Media/ME1`, body: '' },
        headers: {
          ...headersTo('service.test'),
          accept: 'image/jpeg, image/png, image/gif, image/webp',
          authorization: basic,
        },
      },
    ]);
  });

  test.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'Image/PNG; q=1'])(
    'can be %s',
    async (given) => {
      answerWith([{ ...picture, headers: { 'Content-Type': given } }]);
      expect((await telephony().media('file', file)).headers).toEqual({ 'content-type': given });
    },
  );

  test.each([
    ...[
      'image/svg+xml',
      'text/html',
      'image/png, text/html',
      'image/png;, text/html',
      'image/*',
      'application/pdf',
    ],
    ...['audio/mpeg', 'video/mp4', 'text/html; image/png', ''],
  ])('cannot be "%s"', async (given) => {
    answerWith([{ ...picture, headers: { 'Content-Type': given } }]);
    expect(parts(await errorOf(telephony().media('file', file)))).toEqual({
      ...{ code: 'bad-answer', status: 200, request: at },
      message: 'The service did not return a picture.',
    });
  });

  test('of another type is refused without a request', async () => {
    const sent = answerWith([picture]);
    for (const contentType of ['image/svg+xml', 'text/vcard', 'audio/amr'])
      expect(parts(await errorOf(telephony().media('file', { ...file, contentType })))).toEqual({
        code: 'not-found',
        message: 'Only pictures can be shown: JPEG, PNG, GIF and WebP.',
      });
    expect(sent).toEqual([]);
  });

  test('that says it is larger than 16 MB is refused', async () => {
    const length = { 'Content-Type': 'image/png', 'Content-Length': String(16 * 2 ** 20 + 1) };
    answerWith([{ ...picture, headers: length }]);
    expect(parts(await errorOf(telephony().media('file', file)))).toEqual({
      ...{ code: 'bad-answer', message: 'This picture is larger than 16 MB.', request: at },
    });
  });

  test('that does not say how large it is ends after 16 MB', async () => {
    answerWith([{ ...picture, body: 'x'.repeat(16 * 2 ** 20 + 1) }]);
    const { stream } = await telephony().media('file', file);
    expect(parts(await errorOf(text(stream)))).toEqual({
      ...{ code: 'bad-answer', message: 'This picture is larger than 16 MB.' },
    });
  });
});

test.each([
  ['recording', { sid: 'RE1', callSid: 'CA1' }, 'RE1'],
  ['file', { sid: 'ME1', parentSid: 'MM1' }, 'MM1.ME1'],
  ['file', { sid: 'ME1', parentSid: null }, undefined],
  ['call', { sid: 'CA1' }, undefined],
])('the media key of a %s %j is %s', (shape, record, key) => {
  expect(mediaKey(shape, record)).toBe(key);
});
