import {
  type Action,
  definitions,
  type Field,
  fieldTypes,
  isAction,
  isList,
  type Operation,
  operations,
  type RecordField,
  type RecordShape,
  recordShape,
  replyForms,
} from '../../../src/builder.ts';
import { mostRecords } from './operations.ts';

type Schema = Record<string, unknown>;

/** The schema of a field's values, which MCP tools share. */
export function fieldSchema(field: Field): Schema {
  const { label, help, type, options, minimum, maximum, maxLength, default: usual } = field;
  const { pattern: _, ...schema } = fieldTypes[type].schema;
  const named = { title: label, ...(help && { description: help }) };
  const one = {
    ...schema,
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(usual !== undefined && { default: usual }),
    ...(options && { enum: options }),
  };
  return field.maxValues
    ? { ...named, type: 'array', items: one, maxItems: field.maxValues }
    : { ...named, ...one };
}

/** The schema of an operation's input. What it can't express is checked when the input is used. */
export const inputSchema = ({ fields }: Pick<Operation, 'fields'>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
  required: fields.filter(({ required }) => required).map(({ key }) => key),
  additionalProperties: false,
});

function recordFieldSchema({ label, help, type, options }: RecordField): Schema {
  const { holds } = fieldTypes[type];
  const others: Record<string, Schema> = {
    text: { type: ['string', 'null'] },
    date: { type: ['string', 'null'], format: 'date-time' },
  };
  return {
    title: label,
    ...((help || options) && {
      description: [help, options && `Usually one of ${options.join(', ')}.`]
        .filter(Boolean)
        .join(' '),
    }),
    ...(type === 'map' || type === 'presence' ? {} : (others[holds] ?? { type: [holds, 'null'] })),
  };
}

/** The schema of a record, by key. */
export const recordSchema = ({ name, description, fields }: RecordShape): Schema => ({
  ...{ title: name, description, type: 'object' },
  properties: Object.fromEntries(fields.map((field) => [field.key, recordFieldSchema(field)])),
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
const bodyOf = (schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});
const problem = {
  description: 'A problem, with a sentence that says what to do.',
  content: { 'application/problem+json': { schema: ref('problem') } },
};
const parameter = (name: string, schema: Schema, required = false, place = 'query') => ({
  ...{ name, in: place, required, schema },
});
const limit = parameter('limit', { type: 'integer', minimum: 1, maximum: mostRecords });
const cursor = (description: string, required = false) =>
  parameter('cursor', { type: 'string', description }, required);

const idempotencyKey = parameter(
  'Idempotency-Key',
  {
    type: 'string',
    maxLength: 255,
    description: 'A text of your own, such as a UUID, which you repeat with each attempt.',
  },
  true,
  'header',
);

function operationPath(one: Operation): [string, object] {
  const shape = ref(one.result.of);
  const common = { operationId: one.id, summary: one.name, description: one.description };
  if (isAction(one)) {
    const schema = inputSchema(one);
    const post = {
      ...{ ...common, tags: ['Actions'], parameters: [idempotencyKey] },
      requestBody: bodyOf(schema),
      responses: { 200: json(shape, 'The record.'), default: problem },
    };
    return [`/v1/actions/${one.id}`, { post }];
  }
  const list = {
    type: 'object',
    properties: { records: { type: 'array', items: shape }, cursor: { type: ['string', 'null'] } },
    required: ['records', 'cursor'],
  };
  const fields = one.fields.map((field) =>
    parameter(field.key, fieldSchema(field), field.required ?? false),
  );
  const paging = isList(one) ? [limit, cursor('The one of the answer before.')] : [];
  const get = {
    ...{ ...common, tags: ['Data sources'], parameters: [...fields, ...paging] },
    responses: { 200: json(isList(one) ? list : shape, one.result.of), default: problem },
  };
  return [`/v1/data-sources/${one.id}`, { get }];
}

const batchActions = operations.filter((one): one is Action => isAction(one) && 'batch' in one);
const key = parameter('key', { type: 'string' }, true, 'path');
const object = { type: 'object' };

/** A route with one method. */
const route = (method: string, id: string, summary: string, others: object, ok: object) => ({
  [method]: { operationId: id, summary, ...others, responses: { ...ok, default: problem } },
});

const batchOf = (method: string, id: string, summary: string, others: object[] = []) =>
  route(
    method,
    id,
    summary,
    { tags: ['Batches'], parameters: [key, ...others] },
    {
      200: json(object, 'The batch.'),
    },
  );

const batchBody = {
  type: 'object',
  required: ['action', 'rows'],
  properties: {
    action: { enum: batchActions.map(({ id }) => id) },
    name: { type: 'string', description: 'Batches of one name complete each other.' },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        required: ['input'],
        properties: { id: { type: 'string' }, name: { type: 'string' }, input: object },
      },
    },
  },
};

const id = parameter('id', { type: 'string' }, true, 'path');
const eventIds = definitions.events.map((event) => event.id);

const replyBody = {
  type: 'object',
  required: ['form', 'input'],
  properties: { form: { enum: replyForms.map((form) => form.id) }, input: object },
};

const subscriptionBody = {
  type: 'object',
  required: ['url', 'events'],
  properties: {
    url: { type: 'string', format: 'uri' },
    events: { anyOf: [{ const: 'all' }, { type: 'array', items: { enum: eventIds } }] },
    replies: { type: 'boolean', description: 'Whether calls and SMS wait for your reply.' },
  },
};

const { manifest } = definitions;

/** The description of the gateway. */
export const openapi = {
  openapi: '3.1.0',
  info: {
    title: `${manifest.name} gateway`,
    version: manifest.version,
    description: manifest.description,
  },
  security: [{ key: [] }],
  tags: ['Actions', 'Data sources', 'Batches', 'Media', 'Events'].map((name) => ({ name })),
  paths: {
    ...Object.fromEntries(operations.map(operationPath)),
    '/v1/batches': route(
      ...(['post', 'preview-batch', 'Preview a batch, which sends nothing'] as const),
      {
        tags: ['Batches'],
        requestBody: bodyOf(batchBody),
      },
      { 201: json(object, 'The preview: counts, cost and problems.') },
    ),
    '/v1/batches/{key}': {
      ...batchOf('get', 'view-batch', 'Progress or result of a batch'),
      ...route(
        ...(['delete', 'delete-batch', 'Delete a batch and its result'] as const),
        { tags: ['Batches'], parameters: [key] },
        { 204: { description: 'It is deleted.' } },
      ),
    },
    '/v1/batches/{key}/start': {
      ...route(
        ...(['post', 'start-batch', 'Start a batch, once'] as const),
        { tags: ['Batches'], parameters: [key] },
        {
          200: json(object, 'It was not started now: its state and preview say why.'),
          202: json(object, 'It runs.'),
        },
      ),
    },
    '/v1/batches/{key}/stop': batchOf('post', 'stop-batch', 'Stop a batch'),
    '/v1/batches/{key}/rows': batchOf('get', 'list-batch-rows', 'The outcome of each row', [
      limit,
      cursor('The one of the answer before.'),
    ]),
    '/v1/media/{shape}/{key}': route(
      ...(['get', 'get-media', 'Audio or a picture'] as const),
      {
        tags: ['Media'],
        parameters: [
          parameter(
            'shape',
            { enum: definitions.records.filter(({ media }) => media).map(({ id }) => id) },
            true,
            'path',
          ),
          key,
        ],
      },
      { 200: { description: 'The file.', content: { '*/*': {} } } },
    ),
    '/v1/events': route(
      ...(['get', 'list-events', 'Events after a cursor, the oldest first'] as const),
      {
        tags: ['Events'],
        parameters: [cursor('The one of the answer before, `start` or `now`.', true), limit],
      },
      { 200: json(ref('events'), 'The events.') },
    ),
    '/v1/events/{id}/reply': route(
      ...(['post', 'reply-to-event', 'Reply to a call or an SMS, once'] as const),
      { tags: ['Events'], parameters: [id], requestBody: bodyOf(replyBody) },
      { 200: json(object, 'The service got the reply, or it was sent as a message.') },
    ),
    '/v1/subscriptions': {
      ...route(
        ...(['get', 'list-subscriptions', 'Subscriptions to events'] as const),
        { tags: ['Events'] },
        { 200: json(object, 'The subscriptions of the key.') },
      ),
      ...route(
        ...(['post', 'subscribe', 'Have events sent to a URL'] as const),
        { tags: ['Events'], requestBody: bodyOf(subscriptionBody) },
        { 201: json(object, 'The subscription, and the secret that signs its events.') },
      ),
    },
    '/v1/subscriptions/{id}': route(
      ...(['delete', 'unsubscribe', 'Remove a subscription'] as const),
      { tags: ['Events'], parameters: [id] },
      { 204: { description: 'It is removed.' } },
    ),
    '/v1/subscriptions/{id}/resume': route(
      ...(['post', 'resume-subscription', 'Switch a subscription on again'] as const),
      { tags: ['Events'], parameters: [id] },
      { 200: json(object, 'The subscription.') },
    ),
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
    schemas: {
      ...Object.fromEntries(
        definitions.records.map((shape) => [shape.id, recordSchema(recordShape(shape.id))]),
      ),
      events: {
        type: 'object',
        required: ['events', 'cursor', 'more'],
        properties: {
          events: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                cursor: { type: 'string' },
                id: { type: 'string', description: 'Equal if an event comes twice.' },
                type: { enum: eventIds },
                at: { type: 'string', format: 'date-time' },
                record: object,
              },
            },
          },
          cursor: { type: 'string' },
          more: { type: 'boolean' },
        },
      },
      problem: {
        type: 'object',
        required: ['type', 'title', 'status', 'detail', 'code'],
        properties: {
          ...{ type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' } },
          detail: { type: 'string', description: 'What happened and what to do.' },
          code: { type: 'string', description: 'For programs. It never changes.' },
          field: { type: 'string', description: 'The key of the field to change.' },
          retryAfter: { type: 'number', description: 'In seconds.' },
        },
      },
    },
  },
};
