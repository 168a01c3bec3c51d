import rateLimit from '@fastify/rate-limit';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { type Caller, callerOf, type Gateway } from '../gateway.ts';
import { findKey } from '../keys.ts';
import { mountMcp } from '../mcp/mount-mcp.ts';
import { mountBatches } from './batches.ts';
import { mountEvents } from './events.ts';
import { createMetrics } from './metrics.ts';
import { openapi } from './openapi.ts';
import { mountOperations } from './operations.ts';
import { page } from './page.ts';
import { type Problem, problemOf, Refusal } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it. Only open routes are reached without. */
    caller: Caller;
    /** The code of its problem, for logs and metrics. */
    problem?: string;
  }
  interface FastifyContextConfig {
    /** Whether a route needs no key. */
    isOpen?: boolean;
    /** Whether its answers pause, such as until a person consents. */
    pauses?: boolean;
  }
}

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** How long a request may take to arrive, and twice that an answer to be read, in milliseconds: a slow client must not hold memory for long. */
const arrivalMs = 20_000;

/** An error without its message and details, which can contain values. */
const withoutValues = (error: unknown) => {
  const { name, code, stack } = Object(error) as NodeJS.ErrnoException;
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return { type: String(name), message: String(code ?? ''), stack: frames?.join('\n') ?? '' };
};

/** Options of a server, for tests. */
export interface ServerOptions {
  /** Where it logs; nowhere if not given. */
  log?: { write(line: string): void };
}

/** Returns the token of a request. */
const tokenOf = ({ headers: { authorization = '' } }: FastifyRequest) =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';

/** Notes each request, without its URL and body: they have numbers and texts. */
function logRequests(
  server: FastifyInstance,
  { requests, problems }: ReturnType<typeof createMetrics>,
) {
  server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, caller, problem, log } = request;
    const [route, status] = [routeOptions.url ?? 'none', reply.statusCode];
    requests.observe({ method, route, status }, reply.elapsedTime / 1_000);
    if (problem) problems.inc({ code: problem });
    const ms = Math.round(reply.elapsedTime);
    log.info({ method, route, status, ms, key: caller?.id, problem }, 'request');
  });
}

/** Creates the HTTP server of a gateway. */
export async function createServer(
  gateway: Gateway,
  { log: stream }: ServerOptions = {},
): Promise<FastifyInstance> {
  const server = fastify({
    // Fastify's own lines would contain URLs and messages.
    logger: {
      ...{ level: stream ? 'info' : 'silent', ...(stream && { stream }) },
      serializers: { err: withoutValues, req: () => ({}) },
    },
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    ...{ bodyLimit: 200_000, requestTimeout: arrivalMs, return503OnClosing: false },
    http: { headersTimeout: arrivalMs / 2, connectionsCheckingInterval: 1_000 },
    routerOptions: { maxParamLength: 300 },
    // A URL that Fastify can't read reaches no hook.
    frameworkErrors: (error, request, reply) => void report(error, request, reply),
  });
  const log: FastifyBaseLogger = server.log;
  const metrics = createMetrics(gateway);
  const { requestsPerMinute } = gateway.settings;

  function answer(error: unknown, request: FastifyRequest): Problem {
    const problem = problemOf(error);
    request.problem = problem.code;
    if (problem.status === 500)
      log.error({ ...withoutValues(error), detail: problem.detail }, 'failed');
    return problem;
  }

  function report(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const problem = answer(error, request);
    if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter);
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
    reply.headers(securityHeaders).code(problem.status).type('application/problem+json');
    return reply.send(problem);
  }

  server.decorateRequest('caller');
  server.setErrorHandler(report);
  // Many clients name the type of a body that they don't send.
  const readJson = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : readJson(request, String(body), done),
  );
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    const token = tokenOf(request);
    const key = token && (await findKey(gateway.store, token));
    if (key) request.caller = callerOf(key);
  });
  await server.register(rateLimit, {
    ...{ max: requestsPerMinute, timeWindow: 60_000, enableDraftSpec: true },
    keyGenerator: ({ caller, ip }) => caller?.id ?? ip,
    errorResponseBuilder: (_request, { ttl, max }) =>
      new Refusal(
        'too-many-requests',
        `More than ${max} requests in a minute. Send them more slowly.`,
        {
          retryAfter: Math.ceil(ttl / 1_000),
        },
      ),
  });
  server.addHook('preParsing', async ({ caller, routeOptions: { config } }) => {
    if (!caller && !config.isOpen)
      throw new Refusal(
        'key-required',
        'Send an API key that exists and is not revoked: Authorization: Bearer tgw_…',
      );
  });
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  server.addHook('onSend', async ({ raw, routeOptions: { config } }, reply) => {
    // Otherwise, a connection that is kept alive would hold up the end for a minute.
    if (isClosing) reply.header('connection', 'close');
    // Node closes the connection then, and forgets this with the next request.
    if (!config.pauses) raw.socket.setTimeout(arrivalMs);
  });
  logRequests(server, metrics);
  server.setNotFoundHandler({ preHandler: server.rateLimit() }, () => {
    throw new Refusal('bad-request', 'There is nothing at this path. See /openapi.json.', {
      status: 404,
    });
  });

  const open = { config: { isOpen: true } };
  server.get('/health', open, async () => {
    await gateway.store.get('health', 'any');
    return { status: 'ok' };
  });
  server.get('/openapi.json', open, async () => openapi);
  server.get('/', open, async (_request, reply) =>
    reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .type('text/html; charset=utf-8')
      .send(page),
  );
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  mountOperations(server, gateway);
  mountBatches(server, gateway, (error) => log.error(withoutValues(error), 'batch failed'));
  mountEvents(server, gateway, (sentence) => log.warn({ sentence }, 'event'));
  mountMcp(server, gateway);
  return server;
}
