import { type Examples, without } from './examples.ts';

const field = { key: 'username', type: 'text', label: 'username', help: 'Who you are.' };
const settings = {
  $schema: '../schema/settings.schema.json',
  id: 'account',
  name: 'Account',
  description: 'The account.',
  accountPath: '/v1/Accounts/{AccountSid}',
  fields: [field],
  tests: [{ path: '/Calls.json?PageSize=1', list: 'calls', of: 'call' }],
};

export const settingsExamples: Examples = {
  valid: [
    settings,
    { ...settings, accountPath: '/{AccountSid}' },
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
