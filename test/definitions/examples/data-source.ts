import { type Examples, without } from './examples.ts';

const from = { key: 'from', in: 'query', name: 'From', type: 'phone', label: 'From' };
const source = {
  $schema: '../schema/data-source.schema.json',
  id: 'calls',
  name: 'Calls',
  description: 'All calls.',
  request: { method: 'GET', path: '/Calls.json' },
  fields: [from],
  result: { of: 'call', list: 'calls' },
};
const ownedBy = { field: 'from', owners: 'calls', key: 'callSid', records: 'recordings' };

export const dataSourceExamples: Examples = {
  valid: [
    source,
    { ...source, fields: [] },
    { ...source, result: { of: 'call' } },
    { ...source, request: { method: 'GET', path: '/Calls/{CallSid}/Recordings.json' } },
    { ...source, ownedBy, paid: true },
    {
      ...source,
      request: { method: 'GET', host: 'extra', path: '/v2/PhoneNumbers/{PhoneNumber}' },
    },
    { ...source, result: { ...source.result, next: 'meta.next_page_url' } },
  ],
  invalid: [
    { reason: 'no result', example: without(source, 'result'), fault: ' required' },
    { reason: 'unknown key', example: { ...source, done: 'Done' }, fault: ' additionalProperties' },
    {
      reason: 'a method that writes',
      example: { ...source, request: { method: 'POST', path: '/Calls.json' } },
      fault: '/request/method const',
    },
    {
      reason: 'path without a slash',
      example: { ...source, request: { method: 'GET', path: 'Calls.json' } },
      fault: '/request/path pattern',
    },
    {
      reason: 'path that does not end in .json',
      example: { ...source, request: { method: 'GET', path: '/Calls' } },
      fault: '/request/path pattern',
    },
    {
      reason: 'path of another host that could leave it',
      example: { ...source, request: { method: 'GET', host: 'extra', path: '/v1/../Calls' } },
      fault: '/request/path pattern',
    },
    {
      reason: 'next page in several objects',
      example: { ...source, result: { ...source.result, next: 'meta.pages.next' } },
      fault: '/result/next pattern',
    },
    {
      reason: 'query in the path',
      example: { ...source, request: { method: 'GET', path: '/Calls.json?From=1' } },
      fault: '/request/path pattern',
    },
    {
      reason: 'result without a record',
      example: { ...source, result: { list: 'calls' } },
      fault: '/result required',
    },
    {
      reason: 'field without a label',
      example: { ...source, fields: [without(from, 'label')] },
      fault: '/fields/0 required',
    },
    {
      reason: 'owner without a key',
      example: { ...source, ownedBy: without(ownedBy, 'key') },
      fault: '/ownedBy required',
    },
  ],
};
