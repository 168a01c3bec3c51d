import { type Examples, without } from './examples.ts';

const field = { key: 'username', type: 'text', label: 'username', help: 'Who you are.' };
const limit = {
  ...{ key: 'perHour', type: 'integer', label: 'Messages per hour', help: 'The most.', default: 1 },
};
const choice = {
  ...{ ...without(limit, 'default'), key: 'inQuietHours', type: 'choice' },
  options: [
    { value: 'refuse', label: 'Refuse' },
    { value: 'send-later', label: 'Send later' },
  ],
};
const host = { id: 'extra', url: 'https://extra.example.com', setting: 'contentUrl' };
const settings = {
  $schema: '../schema/settings.schema.json',
  id: 'account',
  name: 'Account',
  description: 'The account.',
  accountPath: '/v1/Accounts/{AccountSid}',
  hosts: [],
  fields: [field],
  limits: [],
  tests: [{ path: '/Calls.json?PageSize=1', list: 'calls', of: 'call' }],
};

export const settingsExamples: Examples = {
  valid: [
    settings,
    { ...settings, accountPath: '/{AccountSid}' },
    { ...settings, hosts: [host] },
    { ...settings, limits: [limit, { ...without(limit, 'default'), placeholder: '9' }] },
    { ...settings, limits: [choice] },
    { ...settings, fields: [{ ...field, key: 'password', type: 'secret', required: true }] },
    { ...settings, fields: [{ ...field, key: 'baseUrl', type: 'url', default: 'https://x.test' }] },
  ],
  invalid: [
    { reason: 'no account path', example: without(settings, 'accountPath'), fault: ' required' },
    {
      reason: 'account path without the account SID',
      example: { ...settings, accountPath: '/v1/Accounts' },
      fault: '/accountPath pattern',
    },
    { reason: 'no hosts', example: without(settings, 'hosts'), fault: ' required' },
    {
      reason: 'host without a setting',
      example: { ...settings, hosts: [without(host, 'setting')] },
      fault: '/hosts/0 required',
    },
    {
      reason: 'host of a setting that no code reads',
      example: { ...settings, hosts: [{ ...host, setting: 'extraUrl' }] },
      fault: '/hosts/0/setting enum',
    },
    {
      reason: 'host without encryption',
      example: { ...settings, hosts: [{ ...host, url: 'http://extra.example.com' }] },
      fault: '/hosts/0/url pattern',
    },
    { reason: 'no limits', example: without(settings, 'limits'), fault: ' required' },
    {
      reason: 'limit that no code reads',
      example: { ...settings, limits: [{ ...limit, key: 'perYear' }] },
      fault: '/limits/0/key enum',
    },
    {
      reason: 'limit of an unknown type',
      example: { ...settings, limits: [{ ...without(limit, 'default'), type: 'text' }] },
      fault: '/limits/0/type enum',
    },
    {
      reason: 'switch with a default',
      example: { ...settings, limits: [{ ...limit, type: 'switch' }] },
      fault: '/limits/0/default false schema',
    },
    {
      reason: 'choice without options',
      example: { ...settings, limits: [without(choice, 'options')] },
      fault: '/limits/0 required',
    },
    {
      reason: 'choice of one option',
      example: { ...settings, limits: [{ ...choice, options: choice.options.slice(0, 1) }] },
      fault: '/limits/0/options minItems',
    },
    {
      reason: 'option that no code reads',
      example: {
        ...settings,
        limits: [{ ...choice, options: [{ value: 'wait', label: 'Wait' }, ...choice.options] }],
      },
      fault: '/limits/0/options/0/value enum',
    },
    {
      reason: 'options of a number',
      example: { ...settings, limits: [{ ...limit, options: choice.options }] },
      fault: '/limits/0/options false schema',
    },
    {
      reason: 'limit without help',
      example: { ...settings, limits: [without(limit, 'help')] },
      fault: '/limits/0 required',
    },
    {
      reason: 'limit of nothing',
      example: { ...settings, limits: [{ ...limit, default: 0 }] },
      fault: '/limits/0/default minimum',
    },
    { reason: 'no tests', example: without(settings, 'tests'), fault: ' required' },
    {
      reason: 'empty list of tests',
      example: { ...settings, tests: [] },
      fault: '/tests minItems',
    },
    {
      reason: 'test that needs a path value',
      example: {
        ...settings,
        tests: [{ path: '/Calls/{CallSid}.json', list: 'calls', of: 'call' }],
      },
      fault: '/tests/0/path pattern',
    },
    { reason: 'no fields', example: { ...settings, fields: [] }, fault: '/fields minItems' },
    {
      reason: 'setting that no code reads',
      example: { ...settings, fields: [{ ...field, key: 'region' }] },
      fault: '/fields/0/key enum',
    },
    {
      reason: 'unknown type',
      example: { ...settings, fields: [{ ...field, type: 'password' }] },
      fault: '/fields/0/type enum',
    },
    {
      reason: 'field without help',
      example: { ...settings, fields: [without(field, 'help')] },
      fault: '/fields/0 required',
    },
    {
      reason: 'unknown key of a field',
      example: { ...settings, fields: [{ ...field, in: 'path' }] },
      fault: '/fields/0 additionalProperties',
    },
  ],
};
