import type { OpenApi } from './openapi.ts';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes a schema with several types as OpenAPI 3.0 does. */
function withOneType({ type, ...rest }: Node): Node {
  if (!Array.isArray(type)) return { type, ...rest };
  const [first, ...more] = type.filter((one) => one !== 'null');
  const nullable = type.includes('null') ? { nullable: true } : {};
  if (more.length === 0) return { type: first, ...nullable, ...rest };
  return { ...rest, anyOf: [first, ...more].map((one) => ({ type: one, ...nullable })) };
}

/**
 * Converts every node with a type, because a schema has one type in OpenAPI 3.0. Leaves `examples` unchanged.
 *
 * @param convert converts a node
 */
function converted(value: unknown, convert: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map((one) => converted(one, convert));
  if (!isNode(value)) return value;
  const node = 'type' in value ? convert(value) : value;
  return Object.fromEntries(
    Object.entries(node).map(([key, one]) => [
      key,
      key === 'examples' ? one : converted(one, convert),
    ]),
  );
}

export interface Parameter {
  $ref?: string;
  schema?: Schema;
  example?: unknown;
  [key: string]: unknown;
}

export interface Schema {
  title?: string;
  type?: string;
  nullable?: boolean;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  [key: string]: unknown;
}

interface Media {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

export interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

export interface Operation {
  parameters: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  servers?: { url: string }[];
  [key: string]: unknown;
}

/** The parts of the document that other formats use. */
export interface OpenApi30 extends Pick<OpenApi, 'info' | 'servers' | 'security' | 'tags'> {
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: OpenApi['components']['securitySchemes'];
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
}

/** Converts the document to OpenAPI 3.0, in which webhooks are an extension that documentation tools read. */
export const openapi30 = ({ openapi: _, webhooks, ...document }: OpenApi): OpenApi30 =>
  converted({ openapi: '3.0.3', ...document, 'x-webhooks': webhooks }, withOneType) as OpenApi30;
