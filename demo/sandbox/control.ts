import type { FastifyError, FastifyInstance } from 'fastify';
import { FAULTS, type Fault } from './faults.ts';
import type { Settings } from './options.ts';
import type { State } from './state.ts';

const FAULT_SCHEMA = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { enum: Object.keys(FAULTS) },
    method: { type: 'string' },
    path: { type: 'string', format: 'regex' },
    times: { type: 'integer', minimum: 1 },
    probability: { type: 'number', minimum: 0, maximum: 1 },
    status: { enum: [500, 503] },
    retryAfter: { type: 'integer', minimum: 0 },
    delayMs: { type: 'integer', minimum: 0 },
  },
};

const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ignoreRecordingsFrom: { type: 'boolean' },
    publicMedia: { type: 'boolean' },
  },
};

/**
 * Looking into a sandbox and steering it over HTTP, for tests in another process. These routes are
 * no part of the service and ask for no credentials.
 */
export function control(state: State) {
  return async (server: FastifyInstance): Promise<void> => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      server.getDefaultJsonParser('error', 'error'),
    );
    server.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
      reply.code(statusCode).send({ error: message }),
    );
    server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not Found' }));

    server.get('/state', () => overview(state));
    server.get('/messages', () => state.messages);
    server.get('/requests', () => state.requests);
    server.delete('/requests', (_request, reply) => {
      state.requests.length = 0;
      return reply.code(204).send();
    });

    server.get('/faults', () => state.faults.list);
    server.post<{ Body: Fault }>(
      '/faults',
      { schema: { body: FAULT_SCHEMA } },
      (request, reply) => {
        state.faults.add(request.body);
        return reply.code(201).send(state.faults.list);
      },
    );
    server.delete('/faults', (_request, reply) => {
      state.faults.clear();
      return reply.code(204).send();
    });

    server.patch<{ Body: Partial<Settings> }>(
      '/settings',
      { schema: { body: SETTINGS_SCHEMA } },
      (request) => Object.assign(state.settings, request.body),
    );
    server.post('/reset', () => {
      state.reset();
      return overview(state);
    });
  };
}

function overview({ account, calls, recordings, messages, requests, faults, settings }: State) {
  return {
    account: account.sid,
    calls: calls.length,
    recordings: recordings.length,
    messages: messages.length,
    requests: requests.length,
    faults: faults.list.length,
    settings,
  };
}
