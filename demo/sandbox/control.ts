import { Ajv } from 'ajv';
import type { FastifyError, FastifyInstance } from 'fastify';
import { answerAs, type CallerInput, viewCaller } from './caller.ts';
import { EVENT_FAULTS, type EventFault } from './event-faults.ts';
import type { NumberSettings } from './events.ts';
import { FAULTS, type Fault } from './faults.ts';
import {
  type IncomingCall,
  type IncomingMessage,
  receiveCall,
  receiveMessage,
} from './happenings.ts';
import type { Settings } from './options.ts';
import type { State } from './state.ts';

const hit = {
  method: { type: 'string' },
  path: { type: 'string', format: 'regex' },
  times: { type: 'integer', minimum: 1 },
  probability: { type: 'number', minimum: 0, maximum: 1 },
};

const FAULT_SCHEMA = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    ...hit,
    name: { enum: Object.keys(FAULTS) },
    status: { enum: [500, 503] },
    retryAfter: { type: 'integer', minimum: 0 },
    delayMs: { type: 'integer', minimum: 0 },
  },
};

const EVENT_FAULT_SCHEMA = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    ...hit,
    name: { enum: EVENT_FAULTS },
    seconds: { type: 'number', minimum: 0 },
  },
};

const text = { type: 'string', minLength: 1 };

const NUMBERS_SCHEMA = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    additionalProperties: false,
    properties: {
      smsUrl: text,
      voiceUrl: text,
      statusCallback: text,
      smsApplicationSid: text,
      statusCallbackEvents: {
        type: 'array',
        items: { enum: ['ringing', 'answered', 'completed'] },
      },
    },
  },
};

const MESSAGE_SCHEMA = {
  type: 'object',
  required: ['from', 'to', 'body'],
  additionalProperties: false,
  properties: {
    ...{ from: text, to: text, body: { type: 'string' } },
    pictures: { type: 'integer', minimum: 0, maximum: 10 },
  },
};

const ENDS = ['completed', 'no-answer', 'busy'];

const CALL_SCHEMA = {
  type: 'object',
  required: ['from', 'to'],
  additionalProperties: false,
  properties: {
    ...{ from: text, to: text, seconds: { type: 'number', minimum: 0 } },
    ...{ end: { enum: ENDS }, forwarded: { enum: ENDS } },
  },
};

const ANSWER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: { digits: { type: 'string', pattern: '^[0-9*#]+$' }, speech: text },
};

const CLOCK_SCHEMA = {
  type: 'object',
  required: ['seconds'],
  additionalProperties: false,
  properties: { seconds: { type: 'number', minimum: 0 } },
};

const SETTINGS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ignoreRecordingsFrom: { type: 'boolean' },
    publicMedia: { type: 'boolean' },
  },
};

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** One for all sandboxes: it compiles each schema once, which takes longer than everything else that a start does. */
const ajv = new Ajv({ formats: { regex: isPattern } });

/**
 * Routes to inspect and control a sandbox from another process. They are not part of the service and need no credentials.
 */
export function control(state: State) {
  return async (server: FastifyInstance): Promise<void> => {
    server.setValidatorCompiler(({ schema }) => ajv.compile(Object(schema)));
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

    server.register(happenings(state));
    server.register(callers(state));

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

/** Routes for the caller of a call: what they hear, and what they answer. */
function callers(state: State) {
  return async (server: FastifyInstance): Promise<void> => {
    const callOf = (sid: string) => state.calls.find((call) => call.sid === sid);
    server.get<{ Params: { sid: string } }>('/calls/:sid', (request, reply) => {
      const call = callOf(request.params.sid);
      return call
        ? viewCaller(call)
        : reply.code(404).send({ error: `No call ${request.params.sid}` });
    });
    server.post<{ Params: { sid: string }; Body: CallerInput }>(
      '/calls/:sid/answers',
      { schema: { body: ANSWER_SCHEMA } },
      (request, reply) => {
        const call = callOf(request.params.sid);
        if (!call) return reply.code(404).send({ error: `No call ${request.params.sid}` });
        try {
          answerAs(call, request.body);
        } catch (error) {
          return reply.code(409).send({ error: (error as Error).message });
        }
        return reply.code(201).send(viewCaller(call));
      },
    );
  };
}

/** Routes for incoming messages and calls, the clock and webhooks. */
function happenings(state: State) {
  const { events, clock } = state;
  return async (server: FastifyInstance): Promise<void> => {
    server.post<{ Body: IncomingMessage }>(
      '/messages',
      { schema: { body: MESSAGE_SCHEMA } },
      (request, reply) => reply.code(201).send(receiveMessage(state, request.body)),
    );
    server.post<{ Body: IncomingCall }>(
      '/calls',
      { schema: { body: CALL_SCHEMA } },
      (request, reply) => reply.code(201).send(receiveCall(state, request.body)),
    );
    server.post<{ Body: { seconds: number } }>(
      '/clock',
      { schema: { body: CLOCK_SCHEMA } },
      (request) => {
        clock.pass(request.body.seconds);
        return { now: clock.now() };
      },
    );
    server.get('/events', async () => {
      await events.settled();
      return events.log;
    });
    server.get('/numbers', () => Object.fromEntries(events.numbers));
    server.patch<{ Body: Record<string, NumberSettings> }>(
      '/numbers',
      { schema: { body: NUMBERS_SCHEMA } },
      (request) => {
        for (const [number, settings] of Object.entries(request.body))
          events.numbers.set(number, settings);
        return Object.fromEntries(events.numbers);
      },
    );
    server.post<{ Body: EventFault }>(
      '/event-faults',
      { schema: { body: EVENT_FAULT_SCHEMA } },
      (request, reply) => {
        events.faults.add(request.body);
        return reply.code(201).send(events.faults.list);
      },
    );
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
