import {
  good,
  gzipped,
  rawService,
  record,
  refused,
  trickling,
  unknownHost,
  writes,
  writesAndEnds,
  writesAndResets,
  wrongScheme,
} from './faulty-services.ts';
import { answer } from './raw-server.ts';
import { type Fault, type Outcome, sandboxWith } from './run-against-fault.ts';

/** The status of the record, or the parts of the error without advice and request. */
type End = string | { code: string; message: string; [part: string]: unknown };
type Counts = [attempts: number, arrived: number, stored?: number];
type Ends = [atRead: [Counts, End], atWrite: [Counts, End]];

const advice =
  ' The outcome of "Send SMS" is unknown; it was not sent again. Check your account\'s message log before you send it again.';

function outcome([[attempts, arrived, stored], end]: [Counts, End], place: string): Outcome {
  const counts = { attempts, arrived, ...(stored !== undefined && { stored }) };
  if (typeof end === 'string') return { ...counts, result: end };
  const explained = end.code === 'unknown-outcome' ? end.message + advice : end.message;
  return { ...counts, error: { ...end, message: explained, request: place } };
}

const fault = (
  name: string,
  start: Fault['start'],
  [read, write]: Ends,
  limits: Fault['limits'] = {},
): Fault => ({
  name,
  start,
  limits,
  read: outcome(read, 'GET /Calls/{CallSid}.json'),
  write: outcome(write, 'POST /Messages.json'),
});

const once: Counts = [1, 1];
const inSettings = `in the settings`;

const broken = (code: string): End => ({
  code: 'unavailable',
  message: `The connection to the service at HOST broke (${code}). Try again later.`,
});
const maybe: End = {
  code: 'unknown-outcome',
  message: "The service's response could not be read.",
};
const unreadable = (more: object): [atRead: End, atWrite: End] => [
  {
    code: 'bad-answer',
    message: `The service's response could not be read. Check the base URL ${inSettings}.`,
    ...more,
  },
  { code: 'unknown-outcome', message: "The service's response could not be read.", ...more },
];

/** All attempts of a read fail; a write that may have arrived is not retried. */
const breaks = (code: string, arrived: [number, number] = [3, 1]): Ends => [
  [[3, arrived[0]], broken(code)],
  [[1, arrived[1]], maybe],
];

const cannotBeReached = (code: string, host = 'HOST'): Ends => {
  const end: End = {
    code: 'unavailable',
    message: `The plugin cannot reach the service at ${host} (${code}). Check the base URL ${inSettings} and this server's network.`,
  };
  return [
    [[3, 0], end],
    [[3, 0], end],
  ];
};

/** Long enough for a request to arrive while the machine is busy with something else. */
const shortTimeouts = { idleTimeoutMs: 1_200, timeoutMs: 2_500, maxAttempts: 1 };
const idleSeconds = shortTimeouts.idleTimeoutMs / 1_000;
const late = (seconds = idleSeconds, [read, write]: [Counts, Counts] = [once, once]): Ends => [
  [
    read,
    {
      code: 'timeout',
      message: `The service at HOST did not respond within ${seconds} seconds. Try again later.`,
    },
  ],
  [write, maybe],
];

const neverConnected = (seconds: number): Ends => {
  const [[, end]] = late(seconds);
  return [
    [[2, 0], end],
    [[2, 0], end],
  ];
};

const bad = (message: string): Ends => [
  [once, { code: 'bad-answer', message }],
  [once, maybe],
];
const noService = bad(
  `The server at HOST did not send an HTTP response. Check the base URL ${inSettings}.`,
);
const tooMuch = bad('The response of the service at HOST is too large. Use a smaller page size.');

const works: Ends = [
  [once, 'completed'],
  [once, 'completed'],
];
const same = (end: End, counts = once): Ends => [
  [counts, end],
  [counts, end],
];
const nonsense = (status = 200): Ends => {
  const [read, write] = unreadable({ status });
  return [
    [once, read],
    [once, write],
  ];
};

const refuses = (status: number): Ends =>
  same({ code: 'rejected', message: 'The service rejected the request.', status });
const redirects = (status: number): Ends =>
  same({
    code: 'bad-answer',
    message: `The service responded with a redirect. Check the base URL ${inSettings}.`,
    status,
  });
const failures = (details: { status: number; requestId?: string }): [End, End] => [
  { code: 'unavailable', message: 'The service has a problem. Try again later.', ...details },
  {
    code: 'unknown-outcome',
    message: 'The service failed while processing the request.',
    ...details,
  },
];
const fails = (status: number): Ends => {
  const [read, write] = failures({ status });
  return [
    [[3, 3], read],
    [once, write],
  ];
};

const requestId = 'RQ…';
const busy = (more = {}): End => ({
  code: 'rate-limited',
  message:
    'The service received too many requests. Wait a moment and try again. The service said: Too Many Requests (20429)',
  ...{ status: 429, serviceCode: 20429, serviceMessage: 'Too Many Requests', requestId },
  ...more,
});
const sandboxFault = (
  status: number,
  serviceCode: number,
  sentence: string,
  serviceMessage: string,
) => {
  const details = { status, serviceCode, serviceMessage, requestId };
  const failed = 'The service failed while processing the request.';
  return {
    read: {
      code: 'unavailable',
      message: `${sentence} The service said: ${serviceMessage} (${serviceCode})`,
      ...details,
    },
    write: {
      code: 'unknown-outcome',
      message: `${failed} It said: ${serviceMessage} (${serviceCode}).`,
      ...details,
    },
  };
};
const internal = sandboxFault(
  500,
  20500,
  'The service has a problem of its own. Try again later.',
  'Internal Server Error',
);
const closed = sandboxFault(
  503,
  20503,
  'The service is currently unavailable. Try again later.',
  'Service Unavailable',
);
const [proxyRead, proxyWrite] = failures({ status: 502, requestId });
const [emptyRead, emptyWrite] = unreadable({ status: 200, requestId });

const sandboxFaults: Fault[] = [
  fault('a single 429 by a rate limit', sandboxWith({ name: 'rate-limited' }), [
    [[2, 2, 0], 'completed'],
    [[2, 2, 1], 'queued'],
  ]),
  fault('429 by a rate limit', sandboxWith({ name: 'rate-limited', times: 9 }), [
    [[3, 3, 0], busy()],
    [[3, 3, 0], busy()],
  ]),
  fault('429 with Retry-After 0', sandboxWith({ name: 'rate-limited', retryAfter: 0, times: 9 }), [
    [[3, 3, 0], busy({ retryAfter: 0 })],
    [[3, 3, 0], busy({ retryAfter: 0 })],
  ]),
  fault(
    '429 with a Retry-After beyond the retry budget',
    sandboxWith({ name: 'rate-limited', retryAfter: 31, times: 9 }),
    [
      [[1, 1, 0], busy({ retryAfter: 31 })],
      [[1, 1, 0], busy({ retryAfter: 31 })],
    ],
  ),
  fault('a single 500', sandboxWith({ name: 'server-error' }), [
    [[2, 2, 0], 'completed'],
    [[1, 1, 0], internal.write],
  ]),
  fault('500 with a code', sandboxWith({ name: 'server-error', times: 9 }), [
    [[3, 3, 0], internal.read],
    [[1, 1, 0], internal.write],
  ]),
  fault('503 with a code', sandboxWith({ name: 'server-error', status: 503, times: 9 }), [
    [[3, 3, 0], closed.read],
    [[1, 1, 0], closed.write],
  ]),
  fault('a single reset before anything is stored', sandboxWith({ name: 'reset-before' }), [
    [[2, 2, 0], 'completed'],
    [[1, 1, 0], maybe],
  ]),
  fault('a reset before anything is stored', sandboxWith({ name: 'reset-before', times: 9 }), [
    [[3, 3, 0], broken('ECONNRESET')],
    [[1, 1, 0], maybe],
  ]),
  fault('a reset after the record was stored', sandboxWith({ name: 'reset-after', times: 9 }), [
    [[3, 3, 0], broken('ECONNRESET')],
    [[1, 1, 1], maybe],
  ]),
  fault('a single truncated answer', sandboxWith({ name: 'truncated' }), [
    [[2, 2, 0], 'completed'],
    [[1, 1, 1], maybe],
  ]),
  fault('truncated answers', sandboxWith({ name: 'truncated', times: 9 }), [
    [[3, 3, 0], broken('ERR_BAD_RESPONSE')],
    [[1, 1, 1], maybe],
  ]),
  fault('an error page of a gateway', sandboxWith({ name: 'html', times: 9 }), [
    [[3, 3, 0], proxyRead],
    [[1, 1, 0], proxyWrite],
  ]),
  fault('an empty answer', sandboxWith({ name: 'empty' }), [
    [[1, 1, 0], emptyRead],
    [[1, 1, 1], emptyWrite],
  ]),
  fault('a slow answer', sandboxWith({ name: 'slow', delayMs: 20 }), [
    [[1, 1, 0], 'completed'],
    [[1, 1, 1], 'queued'],
  ]),
  fault(
    'an answer after the idle timeout',
    sandboxWith({ name: 'slow', delayMs: 60_000, times: 9 }),
    late(idleSeconds, [
      [2, 2, 0],
      [1, 1, 1],
    ]),
    { ...shortTimeouts, maxAttempts: 2 },
  ),
  fault('two different faults in a row', sandboxWith({ name: 'rate-limited' }, { name: 'html' }), [
    [[3, 3, 0], 'completed'],
    [[2, 2, 0], proxyWrite],
  ]),
];

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const chunk = `${record.length.toString(16)}\r\n${record}\r\n`;
const json = (headers: Record<string, string | null>) => answer(200, record, headers);

const connectionFaults: Fault[] = [
  fault('a port that refuses connections', refused, cannotBeReached('ECONNREFUSED')),
  fault('an unknown host name', unknownHost, cannotBeReached('ENOTFOUND', 'telephony.invalid')),
  fault(
    'an untrusted certificate',
    rawService(writes(good), { secure: true }),
    cannotBeReached('DEPTH_ZERO_SELF_SIGNED_CERT'),
  ),
  fault(
    'an https URL of an http server',
    wrongScheme('https', {
      connected: (socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    }),
    cannotBeReached('EPROTO'),
  ),
  fault(
    'an http URL of an https server',
    wrongScheme('http', { secure: true }),
    breaks('ECONNRESET', [0, 0]),
  ),
  fault(
    'a TLS handshake without an answer',
    wrongScheme('https', { connected: (socket) => socket.resume() }),
    neverConnected(0.15),
    { ...shortTimeouts, idleTimeoutMs: 150, maxAttempts: 2 },
  ),
  fault(
    'a reset in the TLS handshake',
    wrongScheme('https', {
      connected: (socket) => socket.once('data', () => socket.resetAndDestroy()),
    }),
    cannotBeReached('ECONNRESET'),
  ),
  fault(
    'a reset right after connecting',
    rawService(writes(good), {
      // Both ends see the connection before one of them ends it.
      connected: (socket) => setImmediate(() => socket.resetAndDestroy()),
    }),
    breaks('ECONNRESET', [0, 0]),
  ),
  fault('a close after the request', rawService(writesAndEnds('')), breaks('ECONNRESET')),
  fault('a reset after the request', rawService(writesAndResets('')), breaks('ECONNRESET')),
  fault('a single reset after the request', rawService([writesAndResets(''), writes(good)]), [
    [[2, 2], 'completed'],
    [once, maybe],
  ]),
  fault(
    'a reset of a reused connection',
    rawService([writes(answer(429, '')), writesAndResets(''), writes(good)]),
    [
      [[3, 3], 'completed'],
      [[2, 2], maybe],
    ],
  ),
  fault(
    'a close in the status line',
    rawService(writesAndEnds('HTTP/1.1 20')),
    breaks('ECONNRESET'),
  ),
  fault('a close in the headers', rawService(writesAndEnds(`${head}X-A: `)), breaks('ECONNRESET')),
  fault(
    'a reset in the headers',
    rawService(writesAndResets(`${head}X-A: `)),
    breaks('ECONNRESET'),
  ),
  fault(
    'a close before the body',
    rawService(writesAndEnds(`${head}Content-Length: 9\r\n\r\n`)),
    breaks('ERR_BAD_RESPONSE'),
  ),
  fault(
    'a close in the body',
    rawService(writesAndEnds(good.subarray(0, -9))),
    breaks('ERR_BAD_RESPONSE'),
  ),
  fault(
    'a reset in the body',
    rawService(writesAndResets(good.subarray(0, -9))),
    breaks('ERR_BAD_RESPONSE'),
  ),
  fault(
    'a close between two chunks',
    rawService(writesAndEnds(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)),
    breaks('ERR_BAD_RESPONSE'),
  ),
  fault('no answer', rawService(writes('')), late(), shortTimeouts),
  fault(
    'no answer, once',
    rawService([writes(''), writes(good)]),
    [
      [[2, 2], 'completed'],
      [once, maybe],
    ],
    { idleTimeoutMs: shortTimeouts.idleTimeoutMs },
  ),
  fault('a stall in the body', rawService(writes(good.subarray(0, -9))), late(), shortTimeouts),
  fault(
    'a body without an end',
    rawService(writes(json({ 'Content-Length': null }))),
    late(),
    shortTimeouts,
  ),
  fault(
    'status 100 and nothing more',
    rawService(writes('HTTP/1.1 100 Continue\r\n\r\n')),
    late(),
    shortTimeouts,
  ),
  fault(
    'status 101 to another protocol',
    rawService(writes('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')),
    breaks('ECONNRESET'),
  ),
  fault(
    'a body that trickles',
    rawService(trickling(`${head}Content-Length: 99999\r\n\r\n{`, ' ', 20)),
    late(shortTimeouts.timeoutMs / 1_000),
    { ...shortTimeouts, idleTimeoutMs: 5_000 },
  ),
  fault('endless headers', rawService(trickling(head, 'X-A: b\r\n', 20)), late(), {
    ...shortTimeouts,
    timeoutMs: 5_000,
  }),
];

const protocolFaults: Fault[] = [
  fault('another protocol', rawService(writesAndEnds('SSH-2.0-OpenSSH_9.6\r\n')), noService),
  fault('JSON without HTTP', rawService(writesAndEnds(record)), noService),
  fault(
    'an unknown HTTP version',
    rawService(writesAndEnds(`HTTP/9.9 200 OK\r\n\r\n${record}`)),
    noService,
  ),
  fault('a status that is a word', rawService(writesAndEnds('HTTP/1.1 fine\r\n\r\n')), noService),
  fault('a status of four digits', rawService(writesAndEnds(answer(1000, record))), noService),
  fault(
    'headers over the size limit',
    rawService(writesAndEnds(`${head}X-A: ${'a'.repeat(100_000)}\r\n\r\n`)),
    noService,
  ),
  fault(
    'a header with a NUL character',
    rawService(writesAndEnds(`${head}X-A: a\0b\r\n\r\n`)),
    noService,
  ),
  fault(
    'a Content-Length that is too small',
    rawService(writesAndEnds(json({ 'Content-Length': '9' }))),
    noService,
  ),
  fault(
    'a negative Content-Length',
    rawService(writesAndEnds(json({ 'Content-Length': '-9' }))),
    noService,
  ),
  fault(
    'two different Content-Lengths',
    rawService(writesAndEnds(`${head}Content-Length: 9\r\nContent-Length: 8\r\n\r\n${record}`)),
    noService,
  ),
  fault(
    'a Content-Length with chunks',
    rawService(
      writesAndEnds(`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    ),
    noService,
  ),
  fault(
    'a chunk without a valid size',
    rawService(writesAndEnds(`${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n${record}\r\n`)),
    noService,
  ),
  fault(
    'a body over the size limit',
    rawService(writes(answer(200, ' '.repeat(200_000)))),
    tooMuch,
    {
      maxResponseBytes: 100_000,
    },
  ),
  fault(
    'a compressed body that grows over the size limit',
    rawService(writes(gzipped(Buffer.alloc(200_000)))),
    tooMuch,
    {
      maxResponseBytes: 100_000,
    },
  ),
  fault(
    'an uncompressed body declared as gzip',
    rawService(writes(json({ 'Content-Encoding': 'gzip' }))),
    breaks('Z_DATA_ERROR'),
  ),
  fault('a truncated gzip body', rawService(writes(gzipped(record, 20))), nonsense()),
];

const harmless: Fault[] = [
  fault('HTTP/1.0', rawService(writesAndEnds(`HTTP/1.0 200 OK\r\n\r\n${record}`)), works),
  fault(
    'a chunked body',
    rawService(writes(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`)),
    works,
  ),
  fault(
    'a body that ends with the connection',
    rawService(writesAndEnds(json({ 'Content-Length': null }))),
    works,
  ),
  fault(
    'status 103 first',
    rawService(writes(`HTTP/1.1 103 x\r\nLink: </x>\r\n\r\n${good}`)),
    works,
  ),
  fault('two answers at once', rawService(writes(Buffer.concat([good, good]))), works),
  fault('gzip', rawService(writes(gzipped(record))), works),
  fault(
    'a wrong content type',
    rawService(writes(json({ 'Content-Type': 'text/html; charset=utf-16' }))),
    works,
  ),
  fault('a byte order mark', rawService(writes(answer(200, `\ufeff${record}`))), works),
  fault('202', rawService(writes(answer(202, record))), works),
];

const bodies: [name: string, body: string | Buffer][] = [
  ['an empty body', ''],
  ['blanks', ' \r\n'],
  ['HTML', '<html><body>Welcome</body></html>'],
  ['a list', `[${record}]`],
  ['null', 'null'],
  ['a number', '1'],
  ['a text', '"completed"'],
  ['true', 'true'],
  ['a truncated record', record.slice(0, -3)],
  ['two records', record + record],
  ['JSONP', `callback(${record})`],
  ['JSON followed by NUL', `${record}\0`],
  ['NaN', '{"sid":"CA1","duration":NaN}'],
  ['UTF-16', Buffer.from(record, 'utf16le')],
  ['endless nesting', '{"a":'.repeat(100_000)],
  ['a record without a sid', '{"status":"completed"}'],
  ['a record whose sid is null', '{"sid":null,"status":"completed"}'],
  ['a record whose sid is a record', '{"sid":{},"status":"completed"}'],
];

const readable: [name: string, body: string | Buffer, status: string][] = [
  [
    'deep nesting',
    `{"sid":"CA1","status":"ok","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    'ok',
  ],
  ['a prototype', '{"sid":"CA1","status":"ok","__proto__":{"status":"polluted"}}', 'ok'],
  ['a duplicate key', '{"sid":"CA1","status":"first","status":"ok"}', 'ok'],
  [
    'bytes that are not UTF-8',
    Buffer.concat([
      Buffer.from('{"sid":"CA1","status":"'),
      Buffer.of(0xff, 0xc0),
      Buffer.from('"}'),
    ]),
    '\ufffd\ufffd',
  ],
];

const bodyFaults: Fault[] = [
  ...bodies.map(([name, body]) =>
    fault(`${name} instead of a record`, rawService(writes(answer(200, body))), nonsense()),
  ),
  ...readable.map(([name, body, status]) =>
    fault(`${name} in a record`, rawService(writes(answer(200, body))), same(status)),
  ),
];

const unauthorised = (status: number, sentence: string): Ends =>
  same({ code: 'unauthorised', message: sentence, status });

const elsewhere = { Location: 'https://elsewhere.invalid/' };
const refusing = [400, 402, 405, 406, 407, 409, 410, 411, 413, 415, 418, 421, 422, 425, 426];

const statusFaults: Fault[] = [
  fault('204', rawService(writes('HTTP/1.1 204 x\r\n\r\n')), nonsense(204)),
  ...[300, 301, 302, 307, 308, 399].map((status) =>
    fault(
      `${status} to another origin`,
      rawService(writes(answer(status, record, elsewhere))),
      redirects(status),
    ),
  ),
  fault(
    '302 to the same server',
    rawService(writes(answer(302, '', { Location: '/' }))),
    redirects(302),
  ),
  fault('304', rawService(writes('HTTP/1.1 304 x\r\n\r\n')), redirects(304)),
  fault(
    '401',
    rawService(writes(answer(401, ''))),
    unauthorised(
      401,
      `The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) ${inSettings}.`,
    ),
  ),
  fault(
    '403',
    rawService(writes(answer(403, '<html>'))),
    unauthorised(
      403,
      `The account is not allowed to do this. Check the username (the Account SID) ${inSettings} and the account's permissions.`,
    ),
  ),
  fault('404', rawService(writes(answer(404, ''))), [
    [
      once,
      {
        code: 'not-found',
        message: 'The service has no record with this "Call SID", or does not offer "View a Call".',
        field: 'callSid',
        status: 404,
      },
    ],
    [
      once,
      {
        code: 'not-found',
        message: `The service does not know this account, or does not offer "Send SMS". Check the username (the Account SID) and the base URL ${inSettings}.`,
        status: 404,
      },
    ],
  ]),
  ...[...refusing, 428, 431, 451].map((status) =>
    fault(String(status), rawService(writes(answer(status, ''))), refuses(status)),
  ),
  // Gateways send these after they passed the request on.
  ...[408, 499].map((status) =>
    fault(String(status), rawService(writes(answer(status, ''))), [
      refuses(status)[0],
      [once, failures({ status })[1]],
    ]),
  ),
  fault('000', rawService(writes('HTTP/1.1 000 x\r\nContent-Length: 0\r\n\r\n')), [
    redirects(0)[0],
    [once, failures({ status: 0 })[1]],
  ]),
  fault('303 to another origin', rawService(writes(answer(303, record, elsewhere))), [
    redirects(303)[0],
    [
      once,
      {
        code: 'unknown-outcome',
        message: 'The service responded with a redirect to the result.',
        status: 303,
      },
    ],
  ]),
  fault(
    '429',
    rawService(writes(answer(429, '<html>'))),
    same(
      {
        code: 'rate-limited',
        message: 'The service received too many requests. Wait a moment and try again.',
        status: 429,
      },
      [3, 3],
    ),
  ),
  ...[500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 529, 599, 600, 999].map((status) =>
    fault(String(status), rawService(writes(answer(status, '<html>'))), fails(status)),
  ),
];

const refusedWith = (name: string, body: string, message: string, more: object): Fault =>
  fault(
    `400 with ${name}`,
    rawService(writes(answer(400, body))),
    same({
      code: 'rejected',
      message: `The service rejected the request.${message}`,
      status: 400,
      ...more,
    }),
  );

const refusalFaults: Fault[] = [
  refusedWith(
    'a code that is an object',
    '{"code":{"toString":1,"valueOf":1},"message":["m"]}',
    ' It said: m',
    { serviceMessage: 'm' },
  ),
  refusedWith('a code that is a list', '{"code":[21211]}', '', {}),
  refusedWith('an empty code', '{"code":"","message":""}', '', {}),
  refusedWith('an infinite code', '{"code":1e999}', '', {}),
  refusedWith(
    'a code as text',
    '{"code":"12345","message":" a\\r\\n\\u0000b "}',
    ' It said: a b (12345)',
    {
      serviceCode: 12345,
      serviceMessage: 'a b',
    },
  ),
  refusedWith('an empty error in a list', '{"errors":[null]}', '', {}),
  fault(
    'duplicate headers',
    rawService(
      writes(
        'HTTP/1.1 400 x\r\nTwilio-Request-Id: a\r\nTwilio-Request-Id: b\r\nRetry-After: 3\r\nRetry-After: 4\r\nContent-Length: 0\r\n\r\n',
      ),
    ),
    same({
      code: 'rejected',
      message: 'The service rejected the request.',
      ...{ status: 400, requestId: 'a, b', retryAfter: 3 },
    }),
  ),
];

/** Faults, with the expected outcome of a read and of a write. */
export const faults: Fault[] = [
  ...sandboxFaults,
  ...connectionFaults,
  ...protocolFaults,
  ...harmless,
  ...bodyFaults,
  ...statusFaults,
  ...refusalFaults,
];
