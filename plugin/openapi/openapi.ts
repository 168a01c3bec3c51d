import {
  type DataSource,
  definitions,
  type EventDefinition,
  isDeletion,
  isList,
  operations,
  recordShape,
  serviceEvents,
  signatureHeaders,
} from '../../src/builder.ts';
import { descriptionOf, type Endpoint, endpoints, fixedText } from './endpoint.ts';
import { type Examples, formValues } from './examples.ts';
import {
  accountHelp,
  accountName,
  eventSchema,
  fieldSchema,
  helpOf,
  hostOf,
  open,
  pascal,
  pathOf,
  recordSchema,
  records,
  reportSchemas,
  type Schema,
  setting,
} from './schema.ts';

const { manifest, errors } = definitions;
const form = 'application/x-www-form-urlencoded';

/** What the plugin does in addition to the service, and a description can't. */
export const limits =
  `This document describes single requests to the service. The plugin's packages do more: they read all pages of a list, retry what is safe
to retry, confirm an action whose response got lost instead of repeating it, complete phone numbers, match recordings with callers and
write spoken texts as XML. Clients of this document don't. A list returns one page; \`next_page_uri\` is the path of the next one.
Never repeat a POST request whose response got lost: it may have taken effect.`.replaceAll(
    '\n',
    ' ',
  );

const entries = <Value>(pairs: (readonly [string, Value])[]) => Object.fromEntries(pairs);
const schemaRef = (id: string) => ({ $ref: `#/components/schemas/${pascal(id)}` });

const accountParameter = {
  name: accountName,
  in: 'path',
  required: true,
  description: accountHelp,
  schema: { title: setting('accountSid')?.label, type: 'string' },
  example: setting('accountSid')?.placeholder,
};

/** A parameter that is always sent with one of some values. */
const fixedSchema = (name: string, { values, required }: Endpoint['fixed'][string]): Schema => ({
  ...{ title: name, type: 'string', enum: values },
  ...(required && { default: values[0] }),
});

const parametersOf = ({ lead, others, fields, fixed, method }: Endpoint) => [
  ...fields
    .filter((field) => field.in === 'path' || field.in === 'query')
    .map((field) => ({
      name: field.name,
      in: field.in,
      required: field.required ?? false,
      description: helpOf(field, [lead, ...others]),
      schema: { title: field.label, ...fieldSchema(field) },
      ...(field.placeholder !== undefined && {
        example: field.maxValues ? [field.placeholder] : field.placeholder,
      }),
    })),
  ...Object.entries(method === 'GET' ? fixed : {}).map(([name, one]) => ({
    ...{ name, in: 'query', required: one.required, description: fixedText(one.values) },
    schema: fixedSchema(name, one),
  })),
];

/** The form of an endpoint's body. */
function bodySchema({ lead, others, fields, fixed }: Endpoint): Schema {
  const entered = fields.filter((field) => field.in === 'form');
  const always = Object.entries(fixed);
  const required = [
    ...entered.filter((field) => field.required).map(({ name }) => name),
    ...always.filter(([, one]) => one.required).map(([name]) => name),
  ];
  return {
    type: 'object',
    properties: {
      ...entries(
        entered.map((field) => [
          field.name,
          {
            title: field.label,
            ...fieldSchema(field),
            description: helpOf(field, [lead, ...others]),
          },
        ]),
      ),
      ...entries(
        always.map(([name, one]) => [
          name,
          { ...fixedSchema(name, one), description: fixedText(one.values) },
        ]),
      ),
      ...Object.assign({}, ...[lead, ...others].map(reportSchemas)),
    },
    ...(required.length > 0 && { required }),
  };
}

function requestBody(endpoint: Endpoint, { operations: examples }: Examples) {
  const schema = bodySchema(endpoint);
  const isRequired = Boolean(schema.required);
  const filled = [endpoint.lead, ...endpoint.others].flatMap(({ id, name }) => {
    const value = formValues(examples[id]?.request.body ?? '');
    return Object.keys(value).length > 0 ? [[id, { summary: name, value }] as const] : [];
  });
  const lists = Object.entries<Schema>(schema.properties ?? {}).filter(
    ([, one]) => one.type === 'array',
  );
  // The default, without which some clients join the values with commas.
  const repeated = { style: 'form', explode: true };
  return {
    required: isRequired,
    content: {
      [form]: {
        schema,
        ...(lists.length > 0 && { encoding: entries(lists.map(([name]) => [name, repeated])) }),
        ...(filled.length > 0 && { examples: entries(filled) }),
      },
    },
  };
}

/** Where a page says the URL of the next one. */
function nextSchema({ result: { next } }: DataSource): Record<string, Schema> {
  if (next === undefined)
    return {
      next_page_uri: {
        type: ['string', 'null'],
        description:
          "The path of the next page, below the service's address. Empty on the last one.",
      },
    };
  const [outer = '', inner] = next.split('.');
  const url = {
    ...{
      type: ['string', 'null'],
      description: 'The URL of the next page. Empty on the last one.',
    },
  };
  return { [outer]: inner ? { type: 'object', properties: { [inner]: url }, ...open } : url };
}

/** What an endpoint returns: a record, or a page of a list. */
function responseSchema({ lead }: Endpoint): Schema {
  const record = schemaRef(lead.result.of);
  if (!isList(lead)) return record;
  return {
    type: 'object',
    properties: {
      [lead.result.list]: { type: 'array', items: record },
      ...nextSchema(lead),
    },
    required: [lead.result.list],
    ...open,
  };
}

/** The status of success: a request to a collection creates a record, and after a deletion there is none. */
function successStatus({ method, path }: Endpoint) {
  if (method === 'DELETE') return '204';
  return method === 'POST' && !/\}(\.\w+)?$/.test(path) ? '201' : '200';
}

function responses(endpoint: Endpoint, { operations: examples }: Examples) {
  const shape = recordShape(endpoint.lead.result.of);
  const filled = [endpoint.lead, ...endpoint.others].flatMap(({ id, name }) => {
    const { answer } = examples[id] ?? {};
    return answer ? [[id, { summary: name, value: answer.body }] as const] : [];
  });
  const refused = { '4XX': { $ref: '#/components/responses/Refused' } };
  if (isDeletion(endpoint.lead))
    return { [successStatus(endpoint)]: { description: 'Deleted.' }, ...refused };
  return {
    [successStatus(endpoint)]: {
      description: isList(endpoint.lead) ? `One page. ${shape.description}` : shape.description,
      content: {
        'application/json': {
          schema: responseSchema(endpoint),
          ...(filled.length > 0 && { examples: entries(filled) }),
        },
      },
    },
    ...refused,
  };
}

/** The server of an operation that isn't below the base URL. */
function serversOf({ lead }: Endpoint) {
  const host = hostOf(lead);
  return host && { servers: [{ url: host.url, description: setting(host.setting)?.help }] };
}

const operationOf = (endpoint: Endpoint, examples: Examples) => ({
  operationId: pascal(endpoint.lead.id),
  summary: endpoint.lead.name,
  description: descriptionOf(endpoint),
  tags: [recordShape(endpoint.lead.result.of).name],
  ...serversOf(endpoint),
  parameters: [
    ...(hostOf(endpoint.lead) ? [] : [{ $ref: `#/components/parameters/${accountName}` }]),
    ...parametersOf(endpoint),
  ],
  ...(endpoint.method === 'POST' && { requestBody: requestBody(endpoint, examples) }),
  responses: responses(endpoint, examples),
});

function paths(examples: Examples) {
  const all: Record<string, object> = {};
  for (const endpoint of endpoints(operations)) {
    const path = pathOf(endpoint.lead);
    const method = endpoint.method.toLowerCase();
    all[path] = { ...all[path], [method]: operationOf(endpoint, examples) };
  }
  return all;
}

/** Every webhook has one of these headers. */
const signatures = signatureHeaders.map((name) => ({
  name,
  in: 'header',
  description:
    'The signature of the URL and the parameters by your Auth Token. Refuse a request without a valid one.',
  schema: { title: 'Signature', type: 'string' },
}));

function webhook(event: EventDefinition, examples: Examples) {
  const { id, name, description, setUp, replies = [] } = event;
  const parameters = examples.events[id]?.parameters;
  const forms = replies.map((reply) => ` “${reply.name}”: ${reply.description}`).join('');
  const reply = replies.length > 0 ? ` The body can be a reply in the service's XML.${forms}` : '';
  return {
    operationId: pascal(id),
    summary: name,
    description: `${description} ${setUp}`,
    tags: [recordShape(event.result.of).name],
    security: [],
    parameters: signatures,
    requestBody: {
      content: {
        [form]: {
          schema: eventSchema(event),
          ...(parameters && { examples: { [id]: { summary: name, value: parameters } } }),
        },
      },
    },
    responses: {
      '200': {
        description: `Received.${reply}`,
        ...(reply && { content: { 'application/xml': { schema: { type: 'string' } } } }),
      },
      '4XX': { description: 'Refused, such as for a wrong signature.' },
    },
  };
}

const meanings = errors.map(({ code, sentence }) => `| ${code} | ${sentence} |`).join('\n');
const refusal = {
  description: `The service refused the request.\n\n| code | meaning |\n|---|---|\n${meanings}`,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Refusal' },
      examples: {
        missing: {
          summary: 'No such record',
          value: {
            ...{ code: 20404, message: 'The requested resource was not found', status: 404 },
            more_info: 'https://www.twilio.com/docs/errors/20404',
          },
        },
      },
    },
  },
};

const refusalSchema: Schema = {
  title: 'Refusal',
  description: 'Why the service refused a request.',
  type: 'object',
  properties: {
    code: { type: ['integer', 'null'], description: "The service's error code." },
    message: { type: 'string', description: 'What is wrong.' },
    more_info: { type: ['string', 'null'], description: 'A page about the error.' },
    status: { type: 'integer', description: 'The HTTP status.' },
  },
  ...open,
};

/**
 * Creates the OpenAPI 3.1 document of the service, for the operations and events in the definitions. The other formats
 * are converted from it.
 *
 * @param license of this package
 */
export const openapi = (examples: Examples, license: { name: string; url: string }) => ({
  openapi: '3.1.0',
  info: {
    ...{ title: manifest.name, version: manifest.version, license },
    description: `${manifest.description}\n\n${limits}`,
  },
  servers: [{ url: setting('baseUrl')?.default ?? '', description: setting('baseUrl')?.help }],
  security: [{ account: [] }],
  tags: records.map(({ name, description }) => ({ name, description })),
  paths: paths(examples),
  webhooks: entries(serviceEvents.map((event) => [event.id, { post: webhook(event, examples) }])),
  components: {
    securitySchemes: {
      account: {
        type: 'http',
        scheme: 'basic',
        description: (['username', 'password'] as const)
          .map((key) => `**${setting(key)?.label}**: ${setting(key)?.help}`)
          .join('\n\n'),
      },
    },
    parameters: { [accountName]: accountParameter },
    responses: { Refused: refusal },
    schemas: {
      ...entries(records.map((shape) => [pascal(shape.id), recordSchema(shape)])),
      Refusal: refusalSchema,
    },
  },
});

export type OpenApi = ReturnType<typeof openapi>;
