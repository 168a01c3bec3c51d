import type { FastifyInstance } from 'fastify';
import { eventLog, receiveEvents } from '../../../src/builder.ts';
import { type Gateway, owner } from '../gateway.ts';
import { isIn } from '../keys.ts';
import { readLimit } from './operations.ts';
import { Refusal } from './problem.ts';

/** The routes of events: the service's webhook, and the journal in which callers read them. */
export function mountEvents(
  server: FastifyInstance,
  gateway: Gateway,
  log: (sentence: string) => void,
): void {
  const { settings, journal } = gateway;
  const receive =
    settings.publicAddress === ''
      ? undefined
      : receiveEvents(settings.account, {
          url: gateway.webhookUrl,
          ...(settings.authToken && { authToken: settings.authToken }),
          telephony: () => gateway.telephonyOf(owner),
          deliveryLog: gateway.deliveries,
          onEvent: (event) => journal.add(event),
          onOutcome: eventLog(log),
        });

  // The signature covers the body as it was sent.
  server.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    own.route({
      method: ['GET', 'POST'],
      url: '/v1/events/webhook',
      // The service reports thousands of messages from few addresses, and each request is signed.
      config: { isOpen: true, rateLimit: false },
      async handler({ method, url, headers, body }, reply) {
        if (!receive)
          throw new Refusal(
            'bad-request',
            "The gateway has no public address, so it can't check signatures. Enter it in the gateway's settings.",
            { status: 404 },
          );
        const response = await receive({ method, url, headers, body: String(body ?? '') });
        return reply.code(response.status).headers(response.headers).send(response.body);
      },
    });
  });

  server.get<{ Querystring: Record<string, unknown> }>(
    '/v1/events',
    async ({ caller, query: { cursor = '', limit } }) => {
      const { events } = caller.rights;
      return journal.read(String(cursor), readLimit(limit), (id) => isIn(events, id));
    },
  );
}
