import type { FastifyInstance } from 'fastify';
import {
  type EventContext,
  eventLog,
  type FilledReply,
  purgeHourly,
  receiveEvents,
  TelephonyError,
  type TelephonyEvent,
  within,
} from '../../../src/builder.ts';
import { Deliveries } from '../deliveries.ts';
import { type Gateway, NotAllowed, owner } from '../gateway.ts';
import { all, isIn, type Some } from '../keys.ts';
import { Replies } from '../replies.ts';
import { Subscriptions } from '../subscriptions.ts';
import { keyedAnswer, readLimit, readObject } from './operations.ts';
import { Refusal } from './problem.ts';

/** How long the service waits for a reply, in milliseconds: 15 s, less what its request and the answer take. */
const replyMs = 13_000;
/** How long before that an event must be in the journal, in milliseconds. */
const marginMs = 500;

const notKept = () =>
  Promise.reject(
    new TelephonyError('unavailable', "The gateway's database was too slow to keep the event."),
  );

/** Reads which events someone wants. */
function readEvents(events: unknown): Some {
  if (events === all) return all;
  if (Array.isArray(events) && events.every((one) => typeof one === 'string'))
    return [...new Set(events)];
  throw new Refusal('bad-request', `"events" must be a list of ids, or "${all}".`, {
    field: 'events',
  });
}

/** The routes of events: the service's webhook, the journal in which callers read them, subscriptions and replies. */
export function mountEvents(
  server: FastifyInstance,
  gateway: Gateway,
  log: (sentence: string) => void,
): void {
  const { settings, journal } = gateway;
  const subscriptions = new Subscriptions(gateway);
  const replies = new Replies(gateway);
  const deliveries = new Deliveries(gateway, subscriptions, log);

  async function keep(event: TelephonyEvent, context: EventContext) {
    const isAwaited = await subscriptions.isAwaited(event.id);
    const leftMs = context.deadline - performance.now();
    const id = await journal.add(event, context, isAwaited ? Date.now() + leftMs : undefined);
    return { id, isAwaited };
  }

  const receive =
    settings.publicAddress === ''
      ? undefined
      : receiveEvents(settings.account, {
          url: gateway.webhookUrl,
          ...(settings.authToken && { authToken: settings.authToken }),
          telephony: () => gateway.telephonyOf(owner),
          deliveryLog: gateway.deliveries,
          timeoutMs: replyMs,
          async onEvent(event, context) {
            // The service repeats only what it gets no 200 for.
            const leftMs = context.deadline - performance.now() - marginMs;
            const { id, isAwaited } = await within(leftMs, keep(event, context), notKept);
            deliveries.wake();
            return isAwaited ? replies.wait(id, context) : undefined;
          },
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
      if (events.length === 0)
        throw new NotAllowed('input', `The key "${caller.name}" may not read events.`);
      return journal.read(String(cursor), readLimit(limit), (id) => isIn(events, id));
    },
  );

  type WithId = { Params: { id: string } };

  server.post<WithId>('/v1/events/:id/reply', async ({ caller, params, body }, reply) => {
    const { form, input } = readObject(body);
    if (typeof form !== 'string')
      throw new Refusal('bad-request', '"form" must be a text.', { field: 'form' });
    const filled = { form, input: readObject(input, '"input"') };
    // The check rejects an unknown form and wrong values.
    const answer = await replies.reply(caller, params.id, filled as FilledReply);
    if (!answer) return { status: 'replied' };
    return { status: 'sent', record: keyedAnswer(answer, reply) };
  });

  server.post('/v1/subscriptions', async ({ caller, body }, reply) => {
    const { url, events, replies: waits = false } = readObject(body);
    if (typeof waits !== 'boolean')
      throw new Refusal('bad-request', '"replies" must be true or false.', { field: 'replies' });
    const wanted = { url, events: readEvents(events), replies: waits };
    const { subscription, secret } = await subscriptions.add(caller, wanted);
    return reply.code(201).send({ ...(await subscriptions.show(subscription)), secret });
  });
  server.get('/v1/subscriptions', async ({ caller }) => ({
    subscriptions: await Promise.all(
      (await subscriptions.of(caller)).map((one) => subscriptions.show(one)),
    ),
  }));
  server.delete<WithId>('/v1/subscriptions/:id', async ({ caller, params }, reply) => {
    await subscriptions.remove(caller, params.id);
    return reply.code(204).send();
  });
  server.post<WithId>('/v1/subscriptions/:id/resume', async ({ caller, params }) => {
    await subscriptions.resume(caller, params.id);
    deliveries.wake();
    return subscriptions.show(await subscriptions.find(caller, params.id));
  });

  const stopPurge = purgeHourly(async () => {
    await replies.expire();
    await deliveries.expire();
  });
  server.addHook('onClose', async () => {
    stopPurge();
    await deliveries.close();
  });
  deliveries.wake();
}
