import {
  definitions,
  type Field,
  fieldTypes,
  isAction,
  isDeletion,
  type Operation,
  operations,
  recordShape,
} from '../../src/builder.ts';
import { fixedOf, fixedText } from './endpoint.ts';
import type { Examples } from './examples.ts';
import { limits } from './openapi.ts';
import { accountName, helpOf, hostOf, pathOf, records, reportSchemas, setting } from './schema.ts';

const { manifest, settings } = definitions;
const variable = (name: string) => `{{${name}}}`;
const withVariables = (path: string) => path.replaceAll(/\{(\w+)\}/g, variable('$1'));

/** The variable without which *Run collection*, which sends every request, changes nothing. */
const switchName = 'allowWrites';
const switchHelp = `To send requests that change something or cost money, set the variable ${switchName} to true.`;

/** The reads that cost money. */
const paid = operations.flatMap((one) => ('paid' in one ? [one.name] : []));

/** Runs before each request, in Postman. */
const skipWrites = [
  `const isFree = pm.request.method === 'GET' && !${JSON.stringify(paid)}.includes(pm.info.requestName);`,
  `if (!isFree && String(pm.variables.get('${switchName}')).trim() !== 'true') {`,
  `  console.warn(pm.info.requestName + ' was not sent. ${switchHelp}');`,
  '  pm.execution.skipRequest();',
  '}',
];

/** A parameter of a query or a form. One that isn't enabled is not sent. */
interface Parameter {
  key: string;
  value: string;
  description: string;
  disabled?: true;
}

const parameter = (key: string, value: string, description: string, isEnabled: boolean) =>
  ({ key, value, description, ...(!isEnabled && { disabled: true }) }) as Parameter;

/** A text in the service's XML, which the plugin writes for other clients. */
const speech = (text: string) => `<Response><Say>${text}</Say></Response>`;

function exampleOf({ placeholder, default: usual, options, type, maximum }: Field): string {
  const value = String(placeholder ?? usual ?? options?.[0] ?? maximum ?? '');
  if (type === 'map') return String(fieldTypes.map.clean(value));
  return type === 'speech' ? speech(value) : value;
}

/** Without one of these parameters, the service refuses the request. */
const isNeeded = (field: Field, one: Operation) =>
  field.required || (isAction(one) && one.exactlyOneOf?.[0] === field.key);

function parametersIn(place: 'form' | 'query', one: Operation): Parameter[] {
  return one.fields
    .filter((field) => field.in === place)
    .map((field) => {
      const { options, name } = field;
      const example = exampleOf(field);
      // Postman sends a query unchanged, and there a plus sign means a space.
      const isEscaped = place === 'query' && example.includes('+');
      const notes = [options && `One of ${options.join(', ')}.`, isEscaped && 'Write + as %2B.'];
      return parameter(
        name,
        isEscaped ? encodeURIComponent(example) : example,
        [helpOf(field, [one]), ...notes].filter((note) => note).join(' '),
        Boolean(isNeeded(field, one)),
      );
    });
}

const fixedIn = (one: Operation) =>
  Object.entries(fixedOf(one)).map(([key, value]) =>
    parameter(key, value, fixedText([value]), true),
  );

function formOf(one: Operation): Parameter[] {
  const reports = Object.entries(reportSchemas(one));
  return [
    ...parametersIn('form', one),
    ...fixedIn(one),
    ...reports.map(([key, { description = '', items }]) =>
      parameter(key, items?.enum?.[0] ?? '', description, false),
    ),
  ];
}

/** The description of an operation, and of the variables in its path. */
const descriptionOf = (one: Operation) =>
  [
    one.description,
    ...one.fields
      .filter((field) => field.in === 'path')
      .map((field) => `\`${field.name}\`: ${helpOf(field, [one])}`),
  ].join('\n\n');

function requestOf(one: Operation) {
  const path = withVariables(pathOf(one));
  const base = variable(hostOf(one)?.setting ?? 'baseUrl');
  const query = [...parametersIn('query', one), ...(isAction(one) ? [] : fixedIn(one))];
  const sent = query.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${value}`).join('&');
  return {
    method: one.request.method,
    header: [],
    description: descriptionOf(one),
    url: {
      raw: `${base}${path}${search && `?${search}`}`,
      host: [base],
      path: path.slice(1).split('/'),
      query,
    },
    ...(isAction(one) &&
      !isDeletion(one) && { body: { mode: 'urlencoded', urlencoded: formOf(one) } }),
  };
}

function itemOf(one: Operation, { operations: examples }: Examples) {
  const request = requestOf(one);
  const { answer } = examples[one.id] ?? {};
  const example = answer && {
    name: one.name,
    originalRequest: request,
    code: answer.status,
    ...(isDeletion(one)
      ? { _postman_previewlanguage: 'text', header: [], body: '' }
      : {
          _postman_previewlanguage: 'json',
          header: [{ key: 'Content-Type', value: 'application/json' }],
          body: JSON.stringify(answer.body, null, 2),
        }),
  };
  return { name: one.name, request, response: example ? [example] : [] };
}

/** The variables that requests share: the account, and the records in their paths. */
function variables() {
  const inPaths = operations.flatMap(({ fields }) => fields.filter((field) => field.in === 'path'));
  const isFirst = ({ name }: Field, index: number) =>
    inPaths.findIndex((one) => one.name === name) === index;
  const entry = (key: string, value = '', description = '') => {
    return { key, value, description, type: 'string' };
  };
  return [
    entry('baseUrl', setting('baseUrl')?.default, setting('baseUrl')?.help),
    ...settings.hosts.map(({ url, setting: key }) => entry(key, url, setting(key)?.help)),
    entry('username', '', setting('username')?.help),
    entry('password', '', setting('password')?.help),
    entry(accountName, variable('username'), setting('accountSid')?.help),
    entry(switchName, 'false', switchHelp),
    ...inPaths.filter(isFirst).map(({ name, help }) => entry(name, '', help)),
  ];
}

/** A Postman collection with a request for each operation. */
export const postmanCollection = (examples: Examples): object => ({
  info: {
    name: manifest.name,
    version: manifest.version,
    description: [manifest.description, switchHelp, limits].join('\n\n'),
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: {
    type: 'basic',
    basic: ['username', 'password'].map((key) => {
      return { key, value: variable(key), type: 'string' };
    }),
  },
  event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: skipWrites } }],
  variable: variables(),
  item: records.map(({ id, name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ result }) => recordShape(result.of).id === id)
      .map((one) => itemOf(one, examples)),
  })),
});
