import { readFileSync } from 'node:fs';
import { definitions, operations, serviceEvents } from '../../src/builder.ts';
import { described } from './tools.ts';

const read = (file: string) => JSON.parse(readFileSync(described(file), 'utf8'));

/** The texts below some keys, anywhere in a document. */
function textsIn(value: unknown, keys: string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    typeof below === 'string' && keys.includes(key) ? [below] : textsIn(below, keys),
  );
}

const files = [
  'openapi-3.1.json',
  'openapi-3.0.json',
  'apiDefinition.swagger.json',
  'telephony.postman_collection.json',
];

/** Whether a text tells the reader to use one of some operations. */
const names = (text: string, some: readonly { name: string }[]) =>
  some.some(({ name }) => text.includes(`use ${name}`));

/** The operations that a reader of a document can choose. */
const operationsIn: Record<string, (document: ReturnType<typeof read>) => string[]> = {
  'telephony.postman_collection.json': ({ item }) =>
    item.flatMap((folder: { item: { name: string }[] }) => folder.item.map(({ name }) => name)),
  'bubble/api/raw_calls.json': ({ calls }) =>
    Object.values<{ name: string }>(calls).map(({ name }) => name),
};
const summariesIn = ({ paths }: ReturnType<typeof read>) =>
  Object.values<object>(paths).flatMap((methods) =>
    Object.values<{ summary: string }>({ ...methods }).map(({ summary }) => summary),
  );

test.each([...files, 'bubble/api/raw_calls.json'])(
  '%s tells the reader to use only operations that it has',
  (file) => {
    const document = read(file);
    const found = (operationsIn[file] ?? summariesIn)(document);
    expect(found.length).toBeGreaterThan(10);
    const absent = operations.filter(({ name }) => !found.includes(name));
    const texts = textsIn(document, ['summary', 'description', 'doc']);
    expect(texts.filter((text) => names(text, absent))).toEqual([]);
  },
);

test.each(files)('%s has the names and help texts of all operations', (file) => {
  const texts = textsIn(read(file), ['summary', 'name', 'description']).join('\n');
  const wanted = operations.flatMap(({ name, description, fields }) => [
    name,
    ...description.split(/(?<=\.) /).filter((sentence) => !names(sentence, operations)),
    ...fields.filter((field) => field.in !== 'speech').flatMap(({ help }) => help ?? []),
  ]);
  // Fields with the same parameter share the help text of the first.
  const shared = file.startsWith('telephony') ? [] : operations.flatMap(sharedHelp);
  expect(wanted.filter((text) => !texts.includes(text) && !shared.includes(text))).toEqual([]);
});

/** The help texts of fields whose path and parameter belong to another operation, too. */
function sharedHelp({ id, request, fields }: (typeof operations)[number]): string[] {
  const others = operations.filter((one) => one.id !== id && one.request.path === request.path);
  const isShared = ({ in: place, name }: (typeof fields)[number]) =>
    others.some((one) => one.fields.some((field) => field.in === place && field.name === name));
  return fields.filter(isShared).flatMap(({ help }) => help ?? []);
}

test.each(['openapi-3.1.json', 'openapi-3.0.json'])(
  '%s has the names, descriptions and instructions of all events of the service',
  (file) => {
    const texts = textsIn(read(file), ['summary', 'description']).join('\n');
    const wanted = serviceEvents.flatMap((one) => [one.name, one.description, one.setUp]);
    expect(wanted.filter((text) => !texts.includes(text))).toEqual([]);
  },
);

test('Power Platform requests the username and the password, and keeps them secret', () => {
  const [username, password] = definitions.settings.fields;
  const parameter = (field: typeof username | undefined, tabIndex: number) => ({
    type: 'securestring',
    uiDefinition: {
      displayName: field?.label,
      description: field?.help,
      tooltip: field?.help,
      constraints: { tabIndex, required: 'true' },
    },
  });
  expect(read('apiProperties.json')).toEqual({
    properties: {
      connectionParameters: {
        username: parameter(username, 1),
        password: parameter(password, 2),
      },
      iconBrandColor: '#0b6e69',
      capabilities: [],
      policyTemplateInstances: [
        {
          templateId: 'dynamichosturl',
          title: 'content',
          parameters: {
            'x-ms-apimTemplateParameter.urlTemplate': 'https://content.twilio.com',
            'x-ms-apimTemplate-operationName': ['MessageTemplates'],
          },
        },
        {
          templateId: 'dynamichosturl',
          title: 'lookups',
          parameters: {
            'x-ms-apimTemplateParameter.urlTemplate': 'https://lookups.twilio.com',
            'x-ms-apimTemplate-operationName': ['LookUpANumber'],
          },
        },
        {
          templateId: 'dynamichosturl',
          title: 'verify',
          parameters: {
            'x-ms-apimTemplateParameter.urlTemplate': 'https://verify.twilio.com',
            'x-ms-apimTemplate-operationName': ['SendAOneTimeCode', 'CheckAOneTimeCode'],
          },
        },
      ],
    },
  });
});

test.each([
  ['openapi-3.1.json', (document) => document.components.securitySchemes.account.scheme],
  ['openapi-3.0.json', (document) => document.components.securitySchemes.account.scheme],
  ['apiDefinition.swagger.json', (document) => document.securityDefinitions.account.type],
  ['telephony.postman_collection.json', (document) => document.auth.type],
] satisfies [string, (document: ReturnType<typeof read>) => string][])(
  '%s authenticates by Basic auth',
  (file, schemeOf) => {
    expect(schemeOf(read(file))).toBe('basic');
  },
);

test('Power Platform shows no field for a parameter with one value', () => {
  const { paths } = read('apiDefinition.swagger.json');
  const { parameters } = paths['/2010-04-01/Accounts/{AccountSid}/Calls/{CallSid}.json'].post;
  expect(parameters).toContainEqual({
    ...{ name: 'Status', in: 'formData', required: true, type: 'string' },
    ...{ enum: ['completed'], default: 'completed', description: 'Always completed.' },
    ...{ 'x-ms-summary': 'Status', 'x-ms-visibility': 'internal' },
  });
});
