import type { Field } from '../generated/definition-types.ts';
import { type FieldTypeName, fieldTypes } from '../src/field-types/field-types.ts';

/** A field of an operation or of the settings. */
type InputField = Partial<Omit<Field, 'key' | 'type'>> & {
  key: string;
  type: FieldTypeName;
};

function fieldSchema(field: InputField) {
  const { minimum, maximum, maxLength, options } = field;
  const limits = { minimum, maximum, maxLength, enum: options };
  const stated = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  const schema = { ...fieldTypes[field.type].schema, ...Object.fromEntries(stated) };
  return field.maxValues ? { type: 'array', items: schema, maxItems: field.maxValues } : schema;
}

/**
 * Returns the JSON Schema of some fields' values, without empty ones.
 *
 * @param id the name of the schema
 * @param fields the fields of an operation or of the settings
 * @returns a draft-07 JSON Schema
 */
export function inputSchema(id: string, fields: InputField[]) {
  const needs = fields.flatMap((field) => (field.needs ? [[field.key, field.needs]] : []));
  return {
    $id: id,
    type: 'object' as const,
    additionalProperties: false,
    required: fields
      .filter((field) => field.required && field.default === undefined)
      .map((f) => f.key),
    properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
    ...(needs.length > 0 && { dependencies: Object.fromEntries(needs) }),
  };
}
