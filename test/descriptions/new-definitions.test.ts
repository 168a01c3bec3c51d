import { type Copy, copyRepository } from '../support/copy-of-the-repository.ts';
import { addTheDocumentedOperation, newDeletion } from '../support/copy-with-new-operations.ts';

const operation = {
  $schema: '../schema/data-source.schema.json',
  id: 'calls-in-a-queue',
  name: 'Calls in a queue',
  description: 'Calls that wait in a queue.',
  request: { method: 'GET', path: '/Queues/{QueueSid}/Members.json' },
  fields: [
    ...[{ key: 'queueSid', in: 'path', name: 'QueueSid', type: 'sid', label: 'Queue SID' }].map(
      (field) => ({ ...field, required: true }),
    ),
    {
      ...{ key: 'waitTime', in: 'query', name: 'WaitTime', type: 'integer' },
      ...{ label: 'Waiting time', help: 'In seconds.', minimum: 0, maximum: 3600 },
      column: 'queueTime',
    },
  ],
  result: { of: 'call', list: 'queue_members' },
};

const event = {
  $schema: '../schema/event.schema.json',
  id: 'recording-missing',
  name: 'Recording missing',
  description: 'Triggered when a recording failed.',
  setUp: 'Turn on status reports in the settings.',
  when: [{ name: 'RecordingStatus', oneOf: ['absent'] }],
  parameters: [
    { name: 'RecordingSid', key: 'sid' },
    { name: 'RecordingStatus', key: 'status' },
    { name: 'AccountSid', key: 'accountSid', purpose: 'account' },
  ],
  identifiedBy: ['sid'],
  result: { of: 'recording' },
};

let copy: Copy;
let made: Record<string, string>;
beforeAll(async () => {
  copy = copyRepository();
  addTheDocumentedOperation(copy);
  copy.list('dataSources', 'data-sources/calls-in-a-queue.json');
  copy.list('actions', 'actions/delete-a-call.json');
  copy.list('events', 'events/recording-missing.json');
  copy.write({
    'data-sources/calls-in-a-queue.json': JSON.stringify(operation),
    'actions/delete-a-call.json': JSON.stringify(newDeletion),
    'events/recording-missing.json': JSON.stringify(event),
    'write.mts': `import { writeFileSync } from 'node:fs';
      import { files } from './plugin/openapi/files.ts';
      writeFileSync('made.json', JSON.stringify(await files('.')));`,
  });
  copy.run('build.mjs', '--generate');
  copy.run('--import', 'tsx', 'write.mts');
  made = JSON.parse(copy.read('made.json'));
});

const path = '/2010-04-01/Accounts/{AccountSid}/Queues/{QueueSid}/Members.json';
const described = (file: string) => JSON.parse(made[file] ?? '');

test.each(['openapi-3.1.json', 'openapi-3.0.json', 'apiDefinition.swagger.json'])(
  'a new operation is in %s',
  (file) => {
    const { get } = described(file).paths[path];
    expect(get).toMatchObject({
      operationId: 'CallsInAQueue',
      summary: 'Calls in a queue',
      description: 'Calls that wait in a queue.',
      parameters: [
        { $ref: expect.stringMatching(/parameters\/AccountSid$/) },
        { name: 'QueueSid', in: 'path', required: true, description: 'Queue SID.' },
        { name: 'WaitTime', in: 'query', required: false, description: 'In seconds.' },
      ],
    });
  },
);

const several = { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 3 };
test.each([
  ['openapi-3.1.json', { schema: several }],
  ['openapi-3.0.json', { schema: several }],
  ['apiDefinition.swagger.json', { ...several, collectionFormat: 'multi' }],
])('a new deletion is in %s, without a body and a record', (file, reasons) => {
  const one = described(file).paths['/v1/Calls/{CallSid}'];
  expect(one.delete).toMatchObject({
    operationId: 'DeleteACall',
    parameters: [
      { name: 'CallSid', in: 'path' },
      { name: 'Labels', in: 'query' },
      { name: 'Reason', in: 'query', ...reasons },
    ],
    responses: { 204: { description: 'Deleted.' } },
  });
  expect(JSON.stringify(one.delete)).not.toMatch(/requestBody|"body"|"formData"/);
});

test('a new operation is in the Postman collection', () => {
  const [calls] = described('telephony.postman_collection.json').item;
  const names = calls.item.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['Calls in a queue', 'Calls to a number']));
  expect(calls.item[names.indexOf('Calls in a queue')].request).toEqual({
    method: 'GET',
    header: [],
    description: 'Calls that wait in a queue.\n\n`QueueSid`: Queue SID.',
    url: {
      raw: '{{baseUrl}}/2010-04-01/Accounts/{{AccountSid}}/Queues/{{QueueSid}}/Members.json',
      host: ['{{baseUrl}}'],
      path: ['2010-04-01', 'Accounts', '{{AccountSid}}', 'Queues', '{{QueueSid}}', 'Members.json'],
      query: [{ key: 'WaitTime', value: '3600', description: 'In seconds.', disabled: true }],
    },
  });
});

test.each(['openapi-3.1.json', 'openapi-3.0.json', 'apiDefinition.swagger.json'])(
  'in %s, an operation with the path of others is named in their description',
  (file) => {
    const { description } =
      described(file).paths['/2010-04-01/Accounts/{AccountSid}/Calls.json'].get;
    expect(description).toContain('**Calls to a number**: Calls that went to a number.');
  },
);

test.each([
  ['openapi-3.1.json', 'webhooks'],
  ['openapi-3.0.json', 'x-webhooks'],
])('a new event is in %s', (file, key) => {
  expect(described(file)[key]['recording-missing'].post).toMatchObject({
    operationId: 'RecordingMissing',
    summary: 'Recording missing',
    parameters: [
      { name: 'x-twilio-signature', in: 'header' },
      { name: 'x-signalwire-signature', in: 'header' },
    ],
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            properties: {
              RecordingSid: { title: 'SID', type: 'string' },
              RecordingStatus: { title: 'Status', type: 'string', enum: ['absent'] },
            },
            required: ['RecordingStatus'],
          },
        },
      },
    },
  });
});
