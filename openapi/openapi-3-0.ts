import type { OpenApi } from './openapi.ts';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema of several types, as OpenAPI 3.0 writes it. */
function withOneType({ type, ...rest }: Node): Node {
  if (!Array.isArray(type)) return { type, ...rest };
  const [first, ...more] = type.filter((one) => one !== 'null');
  const nullable = type.includes('null') ? { nullable: true } : {};
  if (more.length === 0) return { type: first, ...nullable, ...rest };
  return { ...rest, anyOf: [first, ...more].map((one) => ({ type: one, ...nullable })) };
}

/**
 * A document in OpenAPI 3.0, in which a schema has one type. What `examples` hold stays as it is.
 *
 * @param convert of a node that has a type
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

/** The same document in OpenAPI 3.0, which has no webhooks. */
export function openapi30({ webhooks: _, ...document }: OpenApi): object {
  return { ...(converted(document, withOneType) as object), openapi: '3.0.3' };
}
