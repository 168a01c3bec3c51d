import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Action,
  isAction,
  isList,
  type KeyedAnswer,
  mediaKey,
  type Operation,
  operations,
  type TelephonyRecord,
  unplayableReason,
} from '../../../src/builder.ts';
import { type Caller, type Gateway, longestKey, NotAllowed } from '../gateway.ts';
import { ListReader, readFilters } from '../list-reader.ts';
import { Refusal } from './problem.ts';

type Values = Record<string, unknown>;

/** How many records a part of a list has, unless its reader wants others. */
const usualLimit = 100;
export const mostRecords = 1_000;

/**
 * Reads the key of an action.
 *
 * @throws {Refusal} if there is none
 */
function readKey({ headers }: FastifyRequest): string {
  const { 'idempotency-key': given } = headers;
  // The draft writes it in quotes; most clients don't.
  const key = String(given ?? '').replace(/^"(.*)"$/, '$1');
  if (/^[\x20-\x7e]+$/.test(key) && key.length <= longestKey) return key;
  throw new Refusal(
    'idempotency-key-required',
    `Every action needs the header Idempotency-Key: a text of at most ${longestKey} characters, such as a UUID, which you repeat with each attempt. Nothing was sent.`,
  );
}

/**
 * Reads a whole number from a query.
 *
 * @throws {Refusal} if it is another value
 */
export function readLimit(value: unknown, usual = usualLimit): number {
  const limit = value === undefined ? usual : Number(value);
  if (typeof value !== 'object' && Number.isInteger(limit) && limit >= 1 && limit <= mostRecords)
    return limit;
  throw new Refusal('bad-request', `The limit must be a whole number from 1 to ${mostRecords}.`, {
    field: 'limit',
  });
}

/**
 * Returns an object of a request's body.
 *
 * @throws {Refusal} if it is none
 */
export function readObject(value: unknown, what = 'The body'): Values {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  throw new Refusal('bad-request', `${what} must be a JSON object.`);
}

/** Returns a record with the path of its audio or picture, if it has one. */
function withMedia(shape: string, record: TelephonyRecord): object {
  const key = mediaKey(shape, record);
  if (!key || unplayableReason(shape, record)) return record;
  return { ...record, media: `/v1/media/${shape}/${encodeURIComponent(key)}` };
}

/** Returns the record of an action that ran once for its key. */
export function keyedAnswer(
  answer: KeyedAnswer<TelephonyRecord>,
  reply: FastifyReply,
): TelephonyRecord {
  if (answer.state === 'other input')
    throw new Refusal(
      'idempotency-key-reused',
      'This Idempotency-Key belongs to an action with other values. Use a new key for each action. Nothing was sent.',
    );
  if (answer.state === 'in progress')
    throw new Refusal(
      'in-progress',
      'The action with this Idempotency-Key is in progress. Repeat the request in a moment.',
      { retryAfter: 1 },
    );
  if (answer.isReplayed) reply.header('idempotent-replayed', 'true');
  if (answer.state === 'failed') throw answer.error;
  return answer.result;
}

/** The routes of actions, data sources and media. */
export function mountOperations(server: FastifyInstance, gateway: Gateway): void {
  const lists = new ListReader();

  server.post<{ Params: { id: string } }>('/v1/actions/:id', async (request, reply) => {
    const { caller, params, body } = request;
    const one = gateway.operationFor(caller, params.id);
    if (!isAction(one)) throw sourceAsAction(one);
    const key = readKey(request);
    const answer = await gateway.act(caller, params.id, key, readObject(body ?? {}));
    return keyedAnswer(answer, reply);
  });

  server.get<{ Params: { id: string }; Querystring: Values }>(
    '/v1/data-sources/:id',
    async ({ caller, params, query }) => {
      const source = gateway.operationFor(caller, params.id);
      const telephony = gateway.telephonyOf(caller);
      const shape = source.result.of;
      if (isAction(source)) throw actionAsSource(source);
      if (!isList(source)) {
        const record = await telephony.run(source.id, { ...query });
        return withMedia(shape, record as TelephonyRecord);
      }
      const { limit, cursor, ...filters } = query;
      const part = await lists.read(
        ...[telephony, source, readFilters(source, filters), readLimit(limit)],
        cursor === undefined ? undefined : String(cursor),
      );
      return { ...part, records: part.records.map((record) => withMedia(shape, record)) };
    },
  );

  server.get<{ Params: { shape: string; key: string } }>(
    '/v1/media/:shape/:key',
    async ({ caller, params: { shape, key }, headers }, reply: FastifyReply) => {
      assertReads(gateway, caller, shape);
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const { range } = headers;
      const options = { signal: left.signal, ...(range !== undefined && { range }) };
      const media = await gateway.telephonyOf(caller).media(shape, key, options);
      return reply.code(media.status).headers(media.headers).send(Readable.from(media.stream));
    },
  );
}

const sourceAsAction = ({ id }: Operation) =>
  new Refusal('bad-request', `"${id}" is a data source. Send GET /v1/data-sources/${id}.`);

const actionAsSource = ({ id }: Action) =>
  new Refusal('bad-request', `"${id}" is an action. Send POST /v1/actions/${id}.`);

/** Who reads records of a shape may read their audio and pictures. */
function assertReads(gateway: Gateway, caller: Caller, shape: string): void {
  const sources = operations.filter((one) => !isAction(one) && one.result.of === shape);
  const allowed = gateway.operationsOf(caller);
  if (sources.length === 0)
    throw new Refusal('bad-request', `There are no files of "${shape}".`, { status: 404 });
  if (!sources.some((one) => allowed.includes(one)))
    throw new NotAllowed('input', `The key "${caller.name}" may not read files of "${shape}".`);
}
