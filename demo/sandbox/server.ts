import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import { basePathOf } from './account.ts';
import { type Answer, failure } from './answers.ts';
import { basicCredentials, refusal } from './authentication.ts';
import { createCall, listCalls, updateCall, viewCall } from './calls.ts';
import { control } from './control.ts';
import { withFault } from './faults.ts';
import { lookUp } from './lookups.ts';
import { recordingMedia } from './media.ts';
import {
  deleteMessage,
  listMessages,
  sendMessage,
  updateMessage,
  viewMessage,
} from './messages.ts';
import { listNumbers, updateNumber } from './numbers.ts';
import { listPictures, viewPicture } from './pictures.ts';
import { newSid } from './random.ts';
import { deleteRecording, listRecordings, startRecording, updateRecording } from './recordings.ts';
import type { LoggedRequest, Request, State } from './state.ts';
import { listTemplates } from './templates.ts';
import { listTranscriptions } from './transcriptions.ts';
import { listDailyUsage, listUsage, viewBalance } from './usage.ts';
import { checkVerification, startVerification } from './verifications.ts';
import { welcome } from './welcome.ts';

type Endpoint = (state: State, request: Request) => Answer;

const ENDPOINTS: readonly [method: 'GET' | 'POST' | 'DELETE', path: string, Endpoint][] = [
  ['GET', '/Calls.json', listCalls],
  ['POST', '/Calls.json', createCall],
  ['GET', '/Calls/:sid.json', viewCall],
  ['POST', '/Calls/:sid.json', updateCall],
  ['POST', '/Calls/:sid/Recordings.json', startRecording],
  ['POST', '/Calls/:sid/Recordings/:recording', updateRecording],
  ['GET', '/Recordings.json', listRecordings],
  ['GET', '/Recordings/:sid', recordingMedia],
  ['GET', '/Recordings/:sid/Transcriptions.json', listTranscriptions],
  ['GET', '/Messages.json', listMessages],
  ['GET', '/Messages/:sid.json', viewMessage],
  ['POST', '/Messages.json', sendMessage],
  ['POST', '/Messages/:sid.json', updateMessage],
  ['DELETE', '/Messages/:sid.json', deleteMessage],
  ['DELETE', '/Recordings/:sid.json', deleteRecording],
  ['GET', '/IncomingPhoneNumbers.json', listNumbers],
  ['POST', '/IncomingPhoneNumbers/:sid.json', updateNumber],
  ['GET', '/Messages/:sid/Media.json', listPictures],
  ['GET', '/Messages/:sid/Media/:picture', viewPicture],
  ['GET', '/Balance.json', viewBalance],
  ['GET', '/Usage/Records.json', listUsage],
  ['GET', '/Usage/Records/Daily.json', listDailyUsage],
];

/** Those of the service's sister hosts, which are all at the URL of the sandbox. */
const HOST_ENDPOINTS: typeof ENDPOINTS = [
  ['GET', '/v1/Content', listTemplates],
  ['GET', '/v2/PhoneNumbers/:sid', lookUp],
  ['POST', '/v2/Services/:sid/Verifications', startVerification],
  ['POST', '/v2/Services/:sid/VerificationCheck', checkVerification],
];

const LONGEST_LOG = 1000;
const FORM = 'application/x-www-form-urlencoded';

/** The HTTP server of a sandbox, which does not listen yet. */
export function createServer(state: State): FastifyInstance {
  const server = fastify({
    forceCloseConnections: true,
    frameworkErrors: (_error, { url }, reply) => send(reply, failure(20404, { path: url })),
  });
  // As text, because the request log shows bodies unparsed.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.setErrorHandler((error, _request, reply) => {
    console.error(error);
    return send(reply, failure(20500));
  });
  const { root } = state.account;
  for (const [endpoints, base] of [
    [ENDPOINTS, root.replace(/[^/]+$/, ':account')],
    [HOST_ENDPOINTS, basePathOf(root)],
  ] as const)
    for (const [method, path, endpoint] of endpoints)
      server.route({ method, url: base + path, handler: exchange(state, endpoint) });
  server.setNotFoundHandler(exchange(state, (_state, { path }) => failure(20404, { path })));
  server.get('/', (_request, reply) => reply.type('text/html').send(welcome(state)));
  server.register(control(state), { prefix: '/sandbox' });
  return server;
}

/** Runs an endpoint, with authentication, faults and the request log. */
function exchange(state: State, endpoint: Endpoint) {
  return async (received: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const entry = logged(state, received);
    const handle = () => {
      const request = read(received, entry);
      const answer = refused(state, request) ?? tooMany(state) ?? endpoint(state, request);
      if (answer.stored !== undefined) {
        entry.stored = answer.stored;
        state.save();
      }
      return answer;
    };
    const fault = state.faults.take(received.method, received.url);
    entry.fault = fault?.name ?? null;
    const answer = fault ? await withFault(fault, handle) : handle();
    entry.status = answer.cut === 'at-once' ? null : answer.status;
    answer.headers.date = state.now().toUTCString();
    return send(reply, answer);
  };
}

function logged(state: State, { method, url, body, headers }: FastifyRequest): LoggedRequest {
  const { authorization, ...others } = headers;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const entry: LoggedRequest = {
    ...{ method, path, query, body: typeof body === 'string' ? body : '', headers: others },
    user: basicCredentials(authorization)?.user ?? null,
    ...{ fault: null, status: null, stored: null },
  };
  if (state.requests.push(entry) > LONGEST_LOG) state.requests.shift();
  return entry;
}

function read({ params, headers }: FastifyRequest, { path, query, body }: LoggedRequest): Request {
  const { sid = '' } = params as { sid?: string };
  const isForm = headers['content-type']?.startsWith(FORM);
  const form = new URLSearchParams(isForm ? body : '');
  return { sid, path, query: new URLSearchParams(query), form, headers };
}

function refused(state: State, { path, headers }: Request): Answer | undefined {
  const { sid, root } = state.account;
  const accounts = root.slice(0, -sid.length);
  const ofHost = path.startsWith(`${basePathOf(root)}/v`);
  if (ofHost) return refusal(state.credentials, sid, headers.authorization, sid, path);
  if (!path.startsWith(accounts)) return undefined;
  const [named = '', folder] = path.slice(accounts.length).split('/');
  if (folder === 'Recordings' && state.settings.publicMedia) return undefined;
  return refusal(state.credentials, sid, headers.authorization, named, path);
}

/** Counts only requests with valid credentials. */
function tooMany({ count }: State): Answer | undefined {
  const seconds = count.take();
  if (seconds === undefined) return undefined;
  const answer = failure(20429);
  if (count.saysWhen) answer.headers['retry-after'] = String(seconds);
  return answer;
}

function send(reply: FastifyReply, { status, headers, body, cut }: Answer): FastifyReply {
  headers['twilio-request-id'] = newSid('RQ');
  if (!cut) return reply.code(status).headers(headers).send(body);
  reply.hijack();
  if (cut === 'at-once') {
    reply.raw.socket?.resetAndDestroy();
    return reply;
  }
  const length = Buffer.byteLength(body);
  reply.raw.writeHead(status, { ...headers, 'content-length': length });
  const half = Buffer.from(body).subarray(0, length / 2);
  reply.raw.write(half, () => reply.raw.destroy());
  return reply;
}
