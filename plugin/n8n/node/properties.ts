import type { Property } from 'n8n-workflow';
import {
  definitions,
  type Field,
  isAction,
  isList,
  mediaKeys,
  type Operation,
  operations,
  pageSizeField,
} from '../../../src/builder.ts';
import { titleCase } from '../title-case.ts';

/** The operation that downloads the media of a record. No definition has this id. */
export const download = 'download';

/** The input with the optional values of an operation. */
export const optional = 'options';

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
export const choicesMethod = ({ id }: Operation, key: string) => `${id}:${key}`;

const types: Partial<Record<Field['type'], string>> = {
  choice: 'options',
  date: 'dateTime',
  day: 'dateTime',
};

function choices(operation: Operation, { key, placeholder }: Field) {
  const typed = { displayName: 'By Value', name: 'value', type: 'string', placeholder };
  const listed = {
    ...{ displayName: 'From List', name: 'list', type: 'list' },
    typeOptions: { searchListMethod: choicesMethod(operation, key) },
  };
  return {
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    modes: [listed, typed],
  };
}

/** n8n's type of a field. A list can be filtered by several choices. */
function typeOf(operation: Operation, { type }: Field): string {
  if (type === 'choice' && isList(operation)) return 'multiOptions';
  return types[type] ?? (type === 'integer' ? 'number' : 'string');
}

/**
 * The input of a field. An optional integer starts with its smallest value, because n8n would start with 0, and a choice
 * with its usual one.
 */
function input(operation: Operation, field: Field): Property {
  const { key, label, help, placeholder, options, multiline, required } = field;
  const type = typeOf(operation, field);
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
    ...(field.choices && choices(operation, field)),
    ...(required && { required }),
  };
}

/** An optional input shows at first if it is a sender, which another input can select, or the usual one of those that exclude each other. */
const isMain = (operation: Operation, { key, required, purpose }: Field) =>
  required ||
  (isAction(operation) && (purpose === 'sender' || key === operation.exactlyOneOf?.[0]));

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

function inputs(operation: Operation): Property[] {
  const shown = shownFor(operation.result.of, operation.id);
  const fields = operation.fields.filter((field) => field !== pageSizeField(operation));
  const main = fields.filter((field) => isMain(operation, field));
  const others = fields.filter((field) => !isMain(operation, field));
  const collection = {
    ...{ displayName: isAction(operation) ? 'Additional Fields' : 'Filters', name: optional },
    ...{ type: 'collection', placeholder: isAction(operation) ? 'Add Field' : 'Add Filter' },
    ...{ default: {}, options: others.map((field) => input(operation, field)) },
  };
  return [
    ...main.map((field) => ({ ...input(operation, field), ...shown })),
    ...(isList(operation) ? listInputs(operation) : []),
    ...(others.length > 0 ? [{ ...collection, ...shown }] : []),
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

function operationInput(shape: (typeof shapes)[number]): Property {
  const { id, name, media } = shape;
  const own = operationsOf(id).map((one) => ({
    name: titleCase(one.name),
    value: one.id,
    description: described(one.description),
    action: one.name,
  }));
  const file = {
    ...{ name: 'Download', value: download, action: `Download a ${name.toLowerCase()}` },
    description: 'Downloads the file as binary data',
  };
  const options = media ? [...own, file] : own;
  return {
    ...{ displayName: 'Operation', name: 'operation', type: 'options', noDataExpression: true },
    displayOptions: { show: { resource: [id] } },
    options: options.sort((a, b) => a.name.localeCompare(b.name, 'en')),
    default: options[0]?.value,
  };
}

const hasText = ({ fields }: Operation) => fields.some(({ purpose }) => purpose === 'sms-text');

/** The inputs of the node: the kind of record, the operation, and the inputs of each operation. */
export const properties: Property[] = [
  {
    ...{ displayName: 'Resource', name: 'resource', type: 'options', noDataExpression: true },
    options: shapes.map(({ id, name }) => ({ name: titleCase(name), value: id })),
    default: definitions.actions.find(hasText)?.result.of,
  },
  ...shapes.map(operationInput),
  ...operations.flatMap(inputs),
  ...shapes.flatMap(downloadInputs),
];
