import type { OpenApi30, Operation, Parameter, Response, Schema } from './openapi-3-0.ts';

type Node = Record<string, unknown>;

const json = 'application/json';
const folders: Record<string, string> = {
  '#/components/schemas/': '#/definitions/',
  '#/components/parameters/': '#/parameters/',
  '#/components/responses/': '#/responses/',
};

const mapValues = <From, To>(values: Record<string, From>, convert: (value: From) => To) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value)]));

function moved($ref: string): string {
  const [from = '', to = ''] = Object.entries(folders).find(([one]) => $ref.startsWith(one)) ?? [];
  return to + $ref.slice(from.length);
}

/**
 * Converts a schema to one with a single type: the first, which is the usual one. Power Platform shows a title as a
 * summary.
 */
function schemaOf({ nullable, anyOf, title, $ref, properties, items, ...others }: Schema): Schema {
  const { additionalProperties: more } = others;
  const rest =
    typeof more === 'object'
      ? { ...others, additionalProperties: schemaOf(more as Schema) }
      : others;
  if (typeof $ref === 'string') return { $ref: moved($ref) };
  const [first] = anyOf ?? [];
  return {
    ...(title !== undefined && { title, 'x-ms-summary': title }),
    ...(first && schemaOf(first)),
    ...(nullable && { 'x-nullable': true }),
    ...rest,
    ...(properties && { properties: mapValues(properties, schemaOf) }),
    ...(items !== undefined && { items: schemaOf(items as Schema) }),
  };
}

function parameterOf({ $ref, schema = {}, example, ...rest }: Parameter): Node {
  if ($ref !== undefined) return { $ref: moved($ref) };
  const { title: _, ...values } = schemaOf(schema);
  return {
    ...{ ...rest, ...values },
    ...(values.type === 'array' && { collectionFormat: 'multi' }),
    ...(example !== undefined && { 'x-example': example }),
  };
}

/** Whether a parameter has a single value that is always sent. Power Platform then needs no field for it. */
const isFixed = ({ enum: values, default: usual }: Schema) =>
  Array.isArray(values) && values.length === 1 && usual !== undefined;

const formParameter = (name: string, { description, ...schema }: Schema, required = false) => ({
  ...parameterOf({ name, in: 'formData', required, description, schema }),
  // Clients leave out an empty value that isn't allowed.
  ...(Array.isArray(schema.enum) && schema.enum.includes('') && { allowEmptyValue: true }),
  ...(required && isFixed(schema) && { 'x-ms-visibility': 'internal' }),
});

function formOf({ properties = {}, required = [] }: Schema): Node[] {
  const fields = Object.entries(properties);
  return fields.map(([name, schema]) => formParameter(name, schema, required.includes(name)));
}

function responseOf({ $ref, description, content }: Response): Node {
  if ($ref !== undefined) return { $ref: moved($ref) };
  const media = content?.[json];
  const [example] = Object.values(media?.examples ?? {});
  return {
    description,
    ...(media && { schema: schemaOf(media.schema) }),
    ...(example && { examples: { [json]: example.value } }),
  };
}

/** Swagger has no ranges of statuses. These are the ones that apps handle differently. */
const refusedStatuses = ['400', '401', '404', '429'];

// A document has one server. For operations on another, Power Platform needs a policy.
function operationOf({ parameters, requestBody, responses, servers: _, ...rest }: Operation): Node {
  const [form] = Object.entries(requestBody?.content ?? {});
  const { '4XX': refused, ...succeeded } = responses;
  return {
    ...rest,
    ...(form && { consumes: [form[0]] }),
    parameters: [...parameters.map(parameterOf), ...(form ? formOf(form[1].schema) : [])],
    responses: {
      ...mapValues(succeeded, responseOf),
      ...Object.fromEntries(
        refused ? refusedStatuses.map((status) => [status, responseOf(refused)]) : [],
      ),
    },
  };
}

/** Converts the document to Swagger 2.0, in the dialect of Power Platform. */
export function swagger20(document: OpenApi30): object {
  const { info, servers, security, tags, paths, components } = document;
  const { protocol, host, pathname } = new URL(servers[0]?.url ?? '');
  const [[scheme, { description }] = ['', { description: '' }]] = Object.entries(
    components.securitySchemes,
  );
  return {
    swagger: '2.0',
    info,
    host,
    basePath: pathname,
    schemes: [protocol.slice(0, -1)],
    produces: [json],
    securityDefinitions: { [scheme]: { type: 'basic', description } },
    security,
    tags,
    paths: mapValues(paths, (one) => mapValues(one, operationOf)),
    parameters: mapValues(components.parameters, parameterOf),
    responses: mapValues(components.responses, responseOf),
    definitions: mapValues(components.schemas, schemaOf),
  };
}
