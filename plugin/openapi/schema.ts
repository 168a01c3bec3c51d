import {
  definitions,
  type EventDefinition,
  endsAtMidnight,
  type Field,
  fieldTypes,
  type Operation,
  type RecordField,
  type RecordShape,
  recordShape,
  serviceEvents,
} from '../../src/builder.ts';

/** A JSON Schema. Each format uses the parts that it supports. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  $ref?: string;
  enum?: string[];
  [key: string]: unknown;
}

/** Converts an id to Pascal case: `an-id` becomes `AnId`. */
export const pascal = (id: string): string =>
  id.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

const ofPlugin = definitions.events
  .filter((event) => !serviceEvents.includes(event))
  .map(({ result }) => result.of);

/** The records of the service, without those of events that only the plugin has. */
export const records: readonly RecordShape[] = definitions.records.filter(
  ({ id }) => !ofPlugin.includes(id),
);

/** A field of the settings. */
export const setting = (key: (typeof definitions.settings.fields)[number]['key']) =>
  definitions.settings.fields.find((field) => field.key === key);

/** The name of the account in the path of every request. */
export const accountName: string = definitions.settings.accountPath.match(/\{(\w+)\}/)?.[1] ?? '';

/** The sister host that an operation is on. */
export const hostOf = ({ request }: Pick<Operation, 'request'>) =>
  definitions.settings.hosts.find(({ id }) => id === request.host);

/** The path of an operation below its base URL, or below its sister host. */
export const pathOf = ({ request }: Pick<Operation, 'request'>): string =>
  (request.host ? '' : definitions.settings.accountPath) + request.path;

/** Clients always have to enter the account; only the plugin takes it from the username. */
export const accountHelp = `Your ${setting('accountSid')?.label}. It is also the username, unless you use an API key.`;

/** The service sends more properties than the definitions list. */
export const open = { additionalProperties: true };

const sentences = (...texts: (string | undefined | false)[]) =>
  texts.filter((text) => text).join(' ');

/** Clients enter speech as the service's XML, which the plugin writes otherwise. */
function speechText(operations: Operation[]) {
  const fields = operations.flatMap((one) => one.fields.filter((field) => field.in === 'speech'));
  const attributes = [...new Set(fields.map(({ name }) => ` ${name}="…"`))].join('');
  return `Enter it as <Response><Say${attributes}>text</Say></Response>.`;
}

/** The names of operations, in a sentence. */
export const quoted = (names: string[]): string => names.map((name) => `“${name}”`).join(' and ');

/** Operations with the same path share a field that not all of them require. */
function requirementText(field: Field, operations: Operation[]) {
  const requiring = operations.filter(({ fields }) =>
    fields.some((one) => one.in === field.in && one.name === field.name && one.required),
  );
  if (requiring.length === 0 || requiring.length === operations.length) return false;
  return `Required for ${quoted(requiring.map(({ name }) => name))}.`;
}

/** Whether the field is a filter that some services ignore, so that the plugin checks each record. */
const isUnreliable = ({ key }: Field, operations: Operation[]) =>
  operations.some((one) => 'ownedBy' in one && one.ownedBy?.field === key);

/** The help text of a field of some operations. */
export const helpOf = (field: Field, operations: Operation[]): string =>
  sentences(
    field.help ?? `${field.label}.`,
    field.type === 'speech' && speechText(operations),
    requirementText(field, operations),
    isUnreliable(field, operations) &&
      'Careful: the service may ignore this filter and return all records.',
    field.maxValues !== undefined && 'Repeat the parameter for each.',
    field.type === 'map' && 'Enter it as JSON, such as {"1":"Ada"}.',
    // The plugin requests the day after; here, no plugin does.
    endsAtMidnight(field) &&
      'Careful: the service stops where a date begins. To include that day, enter the next one.',
  );

/** Clients send a time as it is entered, in any time zone. The plugin sends UTC in whole seconds. */
const dateOrTime = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d))?$';

/** Returns the JSON Schema of a field's values. */
export function fieldSchema(field: Field): Schema {
  const { type, options, minimum, maximum, maxLength, default: usual } = field;
  // The pattern and the length apply to the text without its XML.
  if (type === 'speech') return { type: 'string' };
  const one = {
    ...fieldTypes[type].schema,
    ...(type === 'date' && { pattern: dateOrTime }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(usual !== undefined && { default: usual }),
    ...(options && { enum: options }),
  };
  return field.maxValues ? { type: 'array', items: one, maxItems: field.maxValues } : one;
}

function valueSchema({ type, sentAs }: RecordField): Schema {
  if (type === 'presence') return {};
  if (type === 'map') return { type: ['object', 'null'], ...open };
  if (sentAs) return { type: [sentAs, 'string', 'null'] };
  const { holds } = fieldTypes[type];
  const isNumber = holds === 'integer' || holds === 'number';
  return { type: isNumber ? ['string', 'number', 'null'] : ['string', 'null'] };
}

/**
 * Returns the schema of a value in the service's records. Other options than the listed ones are possible, so only the
 * description lists them.
 */
export const recordFieldSchema = (field: RecordField): Schema => ({
  title: field.label,
  ...valueSchema(field),
  description: sentences(
    field.help ?? `${field.label}.`,
    field.options && `Usually one of ${field.options.join(', ')}.`,
  ),
});

/** Returns the schema of the service's records. A dot in a wire name separates an object and its property. */
export function recordSchema({ name, description, fields }: RecordShape): Schema {
  const properties: Record<string, Schema> = {};
  for (const field of fields.filter(({ eventsOnly }) => !eventsOnly)) {
    const [outer = '', inner, innermost] = field.name.split('.');
    if (inner === undefined) properties[outer] = recordFieldSchema(field);
    else if (innermost !== undefined) {
      const one = {
        type: 'object',
        properties: { [innermost]: recordFieldSchema(field) },
        ...open,
      };
      properties[outer] = { type: ['object', 'null'], additionalProperties: one };
    } else {
      properties[outer] ??= { ...open, type: ['object', 'null'], properties: {} };
      Object.assign(properties[outer].properties ?? {}, { [inner]: recordFieldSchema(field) });
    }
  }
  return { title: name, description, type: 'object', properties, ...open };
}

const eventName = (id: string) => definitions.events.find((one) => one.id === id)?.name ?? id;

/** The parameters by which an action subscribes to reports about its record. */
export function reportSchemas(operation: Operation): Record<string, Schema> {
  if (!('reported' in operation) || !operation.reported) return {};
  const { to, with: steps, event } = operation.reported;
  const name = eventName(event);
  const url: Schema = {
    title: `${name}: webhook URL`,
    type: 'string',
    description: `The public URL to which the service reports “${name}”.`,
  };
  if (!steps) return { [to]: url };
  const items: Schema = { type: 'string', enum: steps.values };
  const description = `The steps that the service reports as “${name}”.`;
  const chosen: Schema = { title: `${name}: steps`, type: 'array', items, description };
  return { [to]: url, [steps.name]: chosen };
}

/** The parameters of a webhook, which are text. */
export function eventSchema({ when, parameters, result }: EventDefinition): Schema {
  const { fields } = recordShape(result.of);
  const known = parameters.map(({ name, key }): [string, Schema] => {
    const field = fields.find((one) => one.key === key);
    return [name, { ...(field && recordFieldSchema(field)), type: 'string' }];
  });
  const given = when?.filter(({ oneOf, given: isGiven }) => oneOf || isGiven) ?? [];
  const conditions = given.map(({ name, oneOf }): [string, Schema] => [
    name,
    { ...Object.fromEntries(known)[name], type: 'string', ...(oneOf && { enum: oneOf }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries([...known, ...conditions]),
    required: given.map(({ name }) => name),
    ...open,
  };
}
