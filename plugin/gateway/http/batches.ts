import type { FastifyInstance } from 'fastify';
import {
  type Action,
  actionOf,
  type Batch,
  batchView,
  inEnglish,
  isMissing,
  maxBatchRows,
  planRow,
  planRows,
  rowView,
} from '../../../src/builder.ts';
import type { Caller, Gateway } from '../gateway.ts';
import { readLimit, readObject } from './operations.ts';
import { Refusal } from './problem.ts';

/** A batch of 100,000 rows has about so many bytes. */
const bodyLimit = 20_000_000;

type Values = Record<string, unknown>;

/** A row of a batch, as callers send it. */
interface GivenRow {
  id?: unknown;
  name?: unknown;
  input: Values;
}

function readRows(rows: unknown): GivenRow[] {
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > maxBatchRows)
    throw new Refusal(
      'bad-request',
      `"rows" must be a list of 1 to ${maxBatchRows} objects with an "input".`,
      { field: 'rows' },
    );
  return rows.map((row, index) => {
    const { id, name, input } = readObject(row, `Row ${index + 1}`);
    return { id, name, input: readObject(input, `The "input" of row ${index + 1}`) };
  });
}

/** The routes of batches: preview, start, progress, stop and result. */
export function mountBatches(
  server: FastifyInstance,
  gateway: Gateway,
  report: (error: unknown) => void,
): void {
  const { batches } = gateway;

  const viewOf = async (batch: Batch<null>) =>
    batchView(actionOf(batch.actionId), batch, await batches.previousOf(batch));
  const open = (caller: Caller, key: string) => batches.open(key, caller.id);

  server.post('/v1/batches', { bodyLimit }, async ({ caller, body }, reply) => {
    const { action: id, name = '', rows } = readObject(body);
    const action = gateway.operationFor(caller, String(id)) as Action;
    if (!('batch' in action) || !action.batch)
      throw new Refusal('bad-request', `"${id}" can't run for many rows.`, { field: 'action' });
    const given = readRows(rows);
    const items = await planRows(given, (row) =>
      planRow(action, {
        ...(!isMissing(row.id) && { row: ['rows', String(row.id)] }),
        ...{ name: isMissing(row.name) ? '' : String(row.name), filled: Object.keys(row.input) },
        input: () => gateway.withSender(caller, action, row.input),
      }),
    );
    const press = { owner: caller.id, actionId: action.id, button: String(name), context: null };
    return reply.code(201).send(await viewOf(await batches.openPreview(press, { items })));
  });

  type WithKey = { Params: { key: string } };

  server.post<WithKey>('/v1/batches/:key/start', async ({ caller, params: { key } }, reply) => {
    const { actionId } = await open(caller, key);
    const action = gateway.operationFor(caller, actionId) as Action;
    const telephony = gateway.telephonyOf(caller);
    const work = { action, open: async () => telephony, report };
    const isStarted = await batches.start(key, caller.id, work);
    const view = await viewOf(await open(caller, key));
    return reply.code(isStarted ? 202 : 200).send({ ...view, isStarted });
  });

  server.get<WithKey>('/v1/batches/:key', async ({ caller, params: { key } }) =>
    viewOf(await open(caller, key)),
  );

  server.get<WithKey & { Querystring: Values }>(
    '/v1/batches/:key/rows',
    async ({ caller, params: { key }, query }) => {
      const { limit, cursor = '0' } = query;
      const from = Number(cursor);
      if (!Number.isInteger(from) || from < 0)
        throw new Refusal('bad-request', 'The cursor must be the one of an earlier answer.', {
          field: 'cursor',
        });
      const { actionId, items } = await open(caller, key);
      const action = actionOf(actionId);
      const to = from + readLimit(limit);
      const rows = items.slice(from, to).map((item) => {
        const id = item.row && JSON.parse(item.row)[1];
        return {
          ...(id !== undefined && { id }),
          ...{ ...rowView(action, item, inEnglish), code: item.outcome },
        };
      });
      return { rows, cursor: to < items.length ? String(to) : null };
    },
  );

  server.post<WithKey>('/v1/batches/:key/stop', async ({ caller, params: { key } }) => {
    await open(caller, key);
    await batches.stop(key, caller.id);
    return viewOf(await open(caller, key));
  });

  server.delete<WithKey>('/v1/batches/:key', async ({ caller, params: { key } }, reply) => {
    await batches.delete(key, caller.id);
    return reply.code(204).send();
  });
}
