import {
  definitions,
  type Field,
  fieldTypes,
  isAction,
  isDeletion,
  isFilter,
  isList,
  type Operation,
  operations,
  type RecordField,
  recordShape,
} from '../../src/builder.ts';
import { choiceOf, fixedOf } from './endpoint.ts';
import {
  accountHelp,
  accountName,
  helpOf,
  hostOf,
  pascal,
  pathOf,
  reportSchemas,
  setting,
} from './schema.ts';

const { manifest } = definitions;

/** Stands for the id that Bubble gives to a plugin, which the types contain. */
const pluginId = 'PLUGIN_ID';

/**
 * A parameter of a call. Public ones are fields of the call, secret ones belong to the plugin's keys, and hidden ones are fixed. A public
 * one never has a value: Bubble would send it instead of an empty one.
 */
interface Parameter {
  key: string;
  value: string;
  doc?: string;
  optional?: true;
  visibility: 'public' | 'hidden' | 'secret';
  private: true;
}

type Parameters = Record<string, Parameter>;

const publicParameter = (key: string, doc: string, isOptional: boolean): Parameter => ({
  ...{ key, value: '', doc, visibility: 'public', private: true },
  ...(isOptional && { optional: true }),
});

const hiddenParameter = (key: string, value: string): Parameter => ({
  ...{ key, value, visibility: 'hidden', private: true },
});

/** What an empty field means: Bubble shows no other explanation. */
const emptyText = (one: Operation, field: Field) =>
  isFilter(one, field) && field.purpose !== 'page-size'
    ? ' Careful: if it is empty, the list shows all records.'
    : '';

const ofField = (one: Operation, field: Field): [string, Parameter] => {
  const isOneOf = isAction(one) && (one.exactlyOneOf?.includes(field.key) ?? false);
  // Bubble sends a parameter once.
  const { maxValues, ...single } = field;
  const help = helpOf(single, [one]) + (maxValues ? ' Here, enter only one.' : '');
  const doc = help + (isOneOf ? choiceOf(one) : '') + emptyText(one, field);
  return [field.key, publicParameter(field.name, doc, !field.required)];
};

const fieldsIn = (one: Operation, ...places: Field['in'][]): Parameters =>
  Object.fromEntries(
    one.fields.filter((field) => places.includes(field.in)).map((field) => ofField(one, field)),
  );

/** The account is a key of the plugin, as the username and the password are. */
const accountParameter: Parameter = {
  ...{ key: accountName, value: '', doc: accountHelp },
  ...{ visibility: 'secret', private: true },
};

function parametersOf(one: Operation): Parameters {
  // A parameter with several values can't be one of Bubble's.
  const reports = Object.entries(reportSchemas(one)).filter(([, { type }]) => type === 'string');
  return {
    ...fieldsIn(one, 'query', 'form'),
    ...Object.fromEntries(
      reports.map(([name, { description = '' }]) => [
        name,
        publicParameter(name, description, true),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(fixedOf(one)).map(([name, value]) => [name, hiddenParameter(name, value)]),
    ),
  };
}

/** Bubble sends JSON unless both say that it is a form. */
const form = {
  body_type: 'form_data',
  headers: { contentType: hiddenParameter('content-type', 'application/x-www-form-urlencoded') },
};

function typeOf({ type, sentAs }: RecordField): string {
  if (type === 'presence') return 'boolean';
  const { holds } = fieldTypes[type];
  return sentAs ?? (holds === 'integer' || holds === 'number' ? 'number' : 'text');
}

const typeField = (path: string[], type: string, caption: string) => [
  `_p_${path.join('.')}`,
  { ret_btype: type, caption, path },
];

/** The types of what a call returns: a record, or a page of records. */
function typesOf(one: Operation, id: string): Record<string, object> {
  const { fields: all, name } = recordShape(one.result.of);
  // A path names each of its properties.
  const fields = all.filter((field) => !field.name.includes('*'));
  const ofRecord = Object.fromEntries(
    fields.map((field) => typeField(field.name.split('.'), typeOf(field), field.label)),
  );
  if (!isList(one)) return { [id]: { caption: one.name, fields: ofRecord } };
  const { list, next = 'next_page_uri' } = one.result;
  const ofPage = [
    typeField([list], `list.api.${pluginId}.${id}.${list}`, list),
    typeField(next.split('.'), 'text', next),
  ];
  return {
    [id]: { caption: one.name, fields: Object.fromEntries(ofPage) },
    [`${id}.${list}`]: { caption: `${one.name} ${name}`, fields: ofRecord },
  };
}

function callOf(one: Operation, rank: number) {
  const type = `plugin_api.${pascal(one.id)}`;
  const path = pathOf(one).replaceAll(/\{(\w+)\}/g, '[$1]');
  const parameters = parametersOf(one);
  const inPath = fieldsIn(one, 'path');
  return {
    name: one.name,
    rank,
    method: one.request.method.toLowerCase(),
    publish_as: isAction(one) ? 'action' : 'data',
    url: `${hostOf(one)?.url ?? setting('baseUrl')?.default}${path}`,
    url_params: { ...(!hostOf(one) && { account: accountParameter }), ...inPath },
    ...(Object.keys(parameters).length > 0 && { params: parameters }),
    ...(isAction(one) && !isDeletion(one) && form),
    ret_value: `api.${pluginId}.${type}`,
    types: JSON.stringify(typesOf(one, type)),
    // Initializing an action would send.
    ...{ initialized: true, should_reinitialize: false },
  };
}

/** Without the operations whose filter the service ignores: the plugin checks each record, and Bubble would show all. */
const calls = operations.filter((one) => !('ownedBy' in one));

const instructions = [
  `username: ${setting('username')?.help}`,
  `password: ${setting('password')?.help}`,
  `${accountName}: ${accountHelp}`,
].join('\n\n');

const description = [
  manifest.description,
  ...calls.map((one) => `${one.name}: ${one.description}`),
].join('\n\n');

const sorted = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Bubble writes its files like this. Then the first synchronisation changes nothing. */
const canonical = (value: object) => JSON.stringify(value, sorted, 4);

/** The files that Bubble synchronises a plugin with. */
export const bubblePlugin = (): Record<string, string> => ({
  'api/raw_calls.json': canonical({
    auth: 'basic_auth',
    human: manifest.name,
    calls: Object.fromEntries(calls.map((one, rank) => [pascal(one.id), callOf(one, rank)])),
  }),
  'meta_data.json': canonical({
    name: manifest.name,
    description,
    categories: { 0: 'customer support', 1: 'small business' },
    license: 'open_source',
    plugin_instructions: instructions,
  }),
  'shared_tech_params.json': canonical({
    dependencies: { plugin_api_version: '4', use_jquery: false },
  }),
});
