import type { Property } from 'n8n-workflow';
import {
  type Action,
  definitions,
  type EventReply,
  type Field,
  isAction,
  isList,
  mediaKeys,
  type Operation,
  operations,
  pageSizeField,
  replyForms,
} from '../../../src/builder.ts';
import { reportUrl } from '../settings/credentials.ts';
import { titleCase } from '../title-case.ts';

/** The operation that downloads the media of a record. No definition has this id. */
export const download = 'download';

/** The resource of the replies to events. No record shape has this id. */
export const replies = 'reply';

/** The input with how an action is sent. */
export const sendingOptions = 'sending';

/** The input with the optional values of an operation. */
export const optional = 'options';

/** What the node does, with the inputs that it takes. */
export type Form = Operation | EventReply;

const isReply = (form: Form): form is EventReply => 'elements' in form;

const shapes = definitions.records.filter(({ id, media }) => media || operationsOf(id).length > 0);

function operationsOf(shape: string): Operation[] {
  return operations.filter(({ result }) => result.of === shape);
}

const shownFor = (resource: string, id: string, more: object = {}) => ({
  displayOptions: { show: { resource: [resource], operation: [id], ...more } },
});

const zone = "in the workflow's time zone";

/** n8n's descriptions of one sentence end without a full stop. An input that was added can't be empty. */
const described = (help = '') =>
  (/^[^.]*\.$/.test(help) ? help.slice(0, -1) : help)
    .replace('Leave empty', 'Leave out')
    .replace('in UTC', zone);

/** The method that lists the choices of a field. */
export const choicesMethod = ({ id }: Form, key: string) => `${id}:${key}`;

const types: Partial<Record<Field['type'], string>> = {
  choice: 'options',
  date: 'dateTime',
  day: 'dateTime',
};

function choices(form: Form, { key, placeholder }: Field) {
  const typed = { displayName: 'By Value', name: 'value', type: 'string', placeholder };
  const listed = {
    ...{ displayName: 'From List', name: 'list', type: 'list' },
    typeOptions: { searchListMethod: choicesMethod(form, key) },
  };
  return {
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    modes: [listed, typed],
  };
}

/** The names and values of a map, each an input of its own: a value with a line break adds no other value. */
export const pairs = 'pairs';

const pairsInput = {
  ...{ type: 'fixedCollection', default: {}, placeholder: 'Add Value' },
  typeOptions: { multipleValues: true },
  options: [
    {
      ...{ displayName: 'Values', name: pairs },
      values: [
        { displayName: 'Name', name: 'name', type: 'string', default: '' },
        { displayName: 'Value', name: 'value', type: 'string', default: '' },
      ],
    },
  ],
};

/** n8n's type of a field. A list can be filtered by several choices. */
function typeOf(form: Form, { type }: Field): string {
  if (type === 'choice' && !isReply(form) && isList(form)) return 'multiOptions';
  return types[type] ?? (type === 'integer' ? 'number' : 'string');
}

/**
 * The input of a field. An optional integer starts with its smallest value, because n8n would start with 0, and a choice
 * with its usual one.
 */
function input(form: Form, field: Field): Property {
  const { key, label, help, placeholder, options, multiline, required } = field;
  const type = typeOf(form, field);
  const starts = {
    options: placeholder ?? options?.[0],
    multiOptions: [],
    number: field.minimum ?? 0,
  };
  return {
    displayName: titleCase(label),
    name: key,
    type,
    default: Reflect.get(starts, type) ?? '',
    ...(help && { description: described(help) }),
    ...(field.type === 'date' && { hint: `A time is ${zone}` }),
    ...(placeholder && type === 'string' && { placeholder: `e.g. ${placeholder}` }),
    ...(options && { options: options.map((value) => ({ name: value, value })) }),
    ...(multiline && { typeOptions: { rows: 3 } }),
    ...(field.choices && choices(form, field)),
    ...(field.type === 'map' && pairsInput),
    ...(required && { required }),
  };
}

/**
 * An optional input shows at first if it is a sender, which another input can select, the usual one of those that exclude each other, what
 * fills a choice, or what a reply says.
 */
const isMain = (form: Form, { key, required, purpose, in: location }: Field) =>
  required ||
  location === 'element' ||
  form.fields.some(({ choices }) => choices?.filledBy === key) ||
  (!isReply(form) && isAction(form) && (purpose === 'sender' || key === form.exactlyOneOf?.[0]));

const listInputs = ({ id, result }: Operation): Property[] => [
  {
    ...{ displayName: 'Return All', name: 'returnAll', type: 'boolean', default: false },
    description: 'Whether to return all results or only up to a given limit',
    ...shownFor(result.of, id),
  },
  {
    ...{ displayName: 'Limit', name: 'limit', type: 'number', default: 50 },
    typeOptions: { minValue: 1 },
    description: 'Max number of results to return',
    ...shownFor(result.of, id, { returnAll: [false] }),
  },
];

/** The versions of the node. Those of the first have whole records, because workflows may depend on them: n8n gives a stored node the default of a new input. */
export const versions = [1, 2];

const simplifyInput = ({ id, result }: Operation): Property => ({
  ...{ displayName: 'Simplify', name: 'simplify', type: 'boolean', default: true },
  description: 'Whether to return a simplified version of the response instead of the raw data',
  ...shownFor(result.of, id, { '@version': versions.slice(1) }),
});

/** The inputs of an operation that the node takes: its limit replaces the page size. */
export const fieldsOf = (form: Form): readonly Field[] =>
  isReply(form) ? form.fields : form.fields.filter((field) => field !== pageSizeField(form));

/** The key of what is sent once. */
export const oncePer: Property = {
  ...{ displayName: 'Send Once Per', name: 'oncePer', type: 'string', default: '' },
  placeholder: 'e.g. {{ $json.orderId }}',
  description:
    'What is sent once in all executions, such as the ID of an order. This node skips an item whose value it has sent before: the last 20,000.',
};
const sendsEqual: Property = {
  ...{ displayName: 'Send Equal Items', name: 'sendsEqual', type: 'boolean', default: true },
  description: 'Whether to send each of several equal items, instead of only the first',
};

/** How an action is sent, if it sends anything. */
function sendingInput(action: Action, shown: object): Property[] {
  const ownUrl = { ...reportUrl, noDataExpression: true };
  const options = [oncePer, sendsEqual, ...(action.reported ? [ownUrl] : [])];
  if (!action.counts && !action.reported) return [];
  return [
    {
      ...{ displayName: 'Options', name: sendingOptions, type: 'collection', default: {} },
      ...{ placeholder: 'Add Option', options, ...shown },
    },
  ];
}

function inputs(form: Form): Property[] {
  const shown = shownFor(isReply(form) ? replies : form.result.of, form.id);
  const main = fieldsOf(form).filter((field) => isMain(form, field));
  const others = fieldsOf(form).filter((field) => !isMain(form, field));
  const reads = !isReply(form) && !isAction(form);
  const collection = {
    ...{ displayName: reads ? 'Filters' : 'Additional Fields', name: optional },
    ...{ type: 'collection', placeholder: reads ? 'Add Filter' : 'Add Field' },
    ...{ default: {}, options: others.map((field) => input(form, field)) },
  };
  return [
    ...main.map((field) => ({ ...input(form, field), ...shown })),
    ...(reads && isList(form) ? listInputs(form) : []),
    ...(reads ? [simplifyInput(form)] : []),
    ...(others.length > 0 ? [{ ...collection, ...shown }] : []),
    ...(!isReply(form) && isAction(form) ? sendingInput(form, shown) : []),
  ];
}

function downloadInputs({ id, name, media, fields }: (typeof shapes)[number]): Property[] {
  if (!media) return [];
  const keys = mediaKeys(media);
  const shown = shownFor(id, download);
  return [
    ...fields
      .filter(({ key }) => keys.includes(key))
      .map(({ key, label }) => ({
        ...{ displayName: key === 'sid' ? `${name} SID` : titleCase(label), name: key },
        ...{ type: 'string', default: '', required: true, ...shown },
      })),
    {
      ...{ displayName: 'Put Output File in Field', name: 'binaryProperty', type: 'string' },
      ...{
        default: 'data',
        required: true,
        hint: 'The name of the output binary field to put the file in',
      },
      ...shown,
    },
  ];
}

const choiceOf = ({ id, name, description }: Form) => ({
  ...{ name: titleCase(name), value: id, description: described(description), action: name },
});

function operationInput(resource: string, options: ReturnType<typeof choiceOf>[]): Property {
  const sorted = options.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return {
    ...{ displayName: 'Operation', name: 'operation', type: 'options', noDataExpression: true },
    displayOptions: { show: { resource: [resource] } },
    options: sorted,
    default: sorted[0]?.value,
  };
}

function shapeOperations({ id, name, media }: (typeof shapes)[number]) {
  const file = {
    ...{ name: 'Download', value: download, action: `Download a ${name.toLowerCase()}` },
    description: 'Downloads the file as binary data',
  };
  return [...operationsOf(id).map(choiceOf), ...(media ? [file] : [])];
}

const hasText = ({ fields }: Operation) => fields.some(({ purpose }) => purpose === 'sms-text');

/** The inputs of the node: the kind of record, the operation, and the inputs of each operation. */
export const properties: Property[] = [
  {
    ...{ displayName: 'Resource', name: 'resource', type: 'options', noDataExpression: true },
    options: [
      ...shapes.map(({ id, name }) => ({ name: titleCase(name), value: id })),
      { name: 'Reply', value: replies },
    ],
    default: definitions.actions.find(hasText)?.result.of,
  },
  ...shapes.map((shape) => operationInput(shape.id, shapeOperations(shape))),
  operationInput(replies, replyForms.map(choiceOf)),
  ...[...operations, ...replyForms].flatMap(inputs),
  ...shapes.flatMap(downloadInputs),
];
