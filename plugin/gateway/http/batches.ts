import type { FastifyInstance } from 'fastify';
import {
  type Action,
  actionOf,
  type Batch,
  type BatchBuilder,
  batchPart,
  batchText,
  batchView,
  inEnglish,
  isMissing,
  isSenderField,
  maxBatchRows,
  planRow,
  planRows,
  rowView,
  type SkipChoice,
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

/** The fields of a row that name it: not its sender. */
const filledIn = ({ fields }: Action, input: Values) =>
  fields.filter((field) => !isSenderField(field) && field.key in input).map(({ key }) => key);

const again = (key: keyof SkipChoice, value: boolean) => ({
  text: `Preview the rows again with "${key}": ${value}.`,
});

/** What the gateway says in its own words. */
const builder: BatchBuilder = {
  ...{ name: 'the gateway', isText: true },
  toContinue: { text: 'To continue, preview the rows again and start the new batch.' },
  toRepeat: ({ id }) => ({ text: `send it by itself, to /v1/actions/${id}` }),
  skips: {
    skipsSent: [
      { text: `They are skipped. To send it again: ${again('skipsSent', false).text}` },
      { text: 'They get it again.' },
    ],
    skipsChanged: [again('skipsChanged', false), again('skipsChanged', true)],
    skipsSentSingly: [again('skipsSentSingly', false), again('skipsSentSingly', true)],
  },
};

const skipKeys = ['skipsSent', 'skipsChanged', 'skipsSentSingly'] as const;

/** Reads which rows to skip. What can't be read must not mean that they are sent again. */
const readSkips = (body: Values): SkipChoice =>
  Object.fromEntries(
    skipKeys.flatMap((key) => {
      const value = body[key];
      if (value === undefined) return [];
      if (typeof value === 'boolean') return [[key, value]];
      throw new Refusal('bad-request', `"${key}" must be true or false.`, { field: key });
    }),
  );

function readRows(rows: unknown): GivenRow[] {
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > maxBatchRows)
    throw new Refusal(
      'bad-request',
      `"rows" must be a list of 1 to ${maxBatchRows} objects with an "input".`,
      { field: 'rows' },
    );
  return rows.map((row, index) => {
    const { id, name, input } = readObject(row, `Row ${index + 1}`);
    for (const [key, value] of Object.entries({ id, name }))
      if (typeof value === 'object' && value !== null)
        throw new Refusal(
          'bad-request',
          `The "${key}" of row ${index + 1} must be a text or a number.`,
          { field: 'rows' },
        );
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

  async function viewOf(batch: Batch<null>) {
    const action = actionOf(batch.actionId);
    const view = batchView(action, batch, await batches.previousOf(batch));
    const part = batchPart(action, view, builder);
    const start = part.buttons.find(({ id }) => id === 'start');
    return { ...view, text: batchText(part), ...(start && { start: inEnglish(start.label) }) };
  }

  const open = (caller: Caller, key: string) => batches.open(key, caller.id);

  // Each preview is stored for an hour, so a key may not store as many as it may send requests.
  const max = Math.ceil(gateway.settings.requestsPerMinute / 10);
  const previews = { bodyLimit, config: { rateLimit: { max } } };
  server.post('/v1/batches', previews, async ({ caller, body }, reply) => {
    const given = readObject(body);
    const { action: id, name = '' } = given;
    const action = gateway.operationFor(caller, String(id)) as Action;
    if (!('batch' in action) || !action.batch)
      throw new Refusal('bad-request', `"${id}" can't run for many rows.`, { field: 'action' });
    const skips = readSkips(given);
    const items = await planRows(readRows(given.rows), (row) =>
      planRow(action, {
        ...(!isMissing(row.id) && { row: ['rows', String(row.id)] }),
        ...{
          name: isMissing(row.name) ? '' : String(row.name),
          filled: filledIn(action, row.input),
        },
        input: () => gateway.withSender(caller, action, row.input),
      }),
    );
    const button = JSON.stringify([caller.id, String(name)]);
    const press = { owner: caller.id, actionId: action.id, button, context: null };
    return reply
      .code(201)
      .send(await viewOf(await batches.openPreview(press, { items, ...skips })));
  });

  type WithKey = { Params: { key: string } };

  server.post<WithKey>('/v1/batches/:key/start', async ({ caller, params: { key } }, reply) => {
    const { actionId } = await open(caller, key);
    const action = gateway.operationFor(caller, actionId) as Action;
    const telephony = gateway.telephonyOf(caller);
    /** Each row asks, so that a batch ends with its key. */
    async function openAccount() {
      await gateway.assertKept(caller);
      return telephony;
    }
    const work = { action, open: openAccount, report };
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
