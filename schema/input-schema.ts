import type { Field } from '../generated/definition-types.ts';

/** What a value of each type must look like, as JSON Schema. The limits that a field states itself are added to it. */
const typeSchemas = {
  phone: { type: 'string', pattern: '^[^\\u0000-\\u001f\\u007f]+$', maxLength: 255 },
  sid: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 64 },
  text: { type: 'string' },
  secret: { type: 'string', pattern: '^[^\\u0000-\\u001f\\u007f]+$', maxLength: 255 },
  url: { type: 'string', maxLength: 2000 },
  choice: { type: 'string' },
  integer: { type: 'integer' },
};

/** A field of an operation or of the settings. */
type InputField = Partial<Omit<Field, 'key' | 'type'>> & {
  key: string;
  type: keyof typeof typeSchemas;
};

function fieldSchema(field: InputField) {
  const { minimum, maximum, maxLength, options } = field;
  const limits = { minimum, maximum, maxLength, enum: options };
  const stated = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...typeSchemas[field.type], ...Object.fromEntries(stated) };
}

/**
 * The JSON Schema of the values of some fields, as they are after empty ones were left out.
 *
 * @param id what the schema is called
 * @param fields the fields of an operation or of the settings
 * @returns a draft-07 JSON Schema
 */
export function inputSchema(id: string, fields: InputField[]) {
  return {
    $id: id,
    type: 'object' as const,
    additionalProperties: false,
    required: fields
      .filter((field) => field.required && field.default === undefined)
      .map((f) => f.key),
    properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
  };
}
