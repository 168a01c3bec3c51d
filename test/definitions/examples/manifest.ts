import { type Examples, without } from './examples.ts';

const manifest = {
  $schema: 'schema/manifest.schema.json',
  id: 'telephony',
  name: 'Telephony',
  version: '1.0.0',
  description: 'Calls and messages.',
  settings: 'settings/account.json',
  dataSources: ['data-sources/calls.json'],
  actions: ['actions/send.json'],
  events: ['events/received.json'],
  records: ['records/call.json'],
  errors: 'errors.json',
};

export const manifestExamples: Examples = {
  valid: [
    manifest,
    { ...manifest, version: '1.0.0-beta.1', actions: [], dataSources: [], events: [] },
  ],
  invalid: [
    { reason: 'no settings', example: without(manifest, 'settings'), fault: ' required' },
    { reason: 'unknown key', example: { ...manifest, icon: 'x' }, fault: ' additionalProperties' },
    { reason: 'no $schema', example: without(manifest, '$schema'), fault: ' required' },
    { reason: 'other $schema', example: { ...manifest, $schema: 'x' }, fault: '/$schema const' },
    {
      reason: 'id that is not in kebab-case',
      example: { ...manifest, id: 'Tele' },
      fault: '/id pattern',
    },
    {
      reason: 'short version',
      example: { ...manifest, version: '1.0' },
      fault: '/version pattern',
    },
    {
      reason: 'description that is not a sentence',
      example: { ...manifest, description: 'Calls' },
      fault: '/description pattern',
    },
    {
      reason: 'action listed as a data source',
      example: { ...manifest, dataSources: ['actions/send.json'] },
      fault: '/dataSources/0 pattern',
    },
    { reason: 'no events', example: without(manifest, 'events'), fault: ' required' },
    {
      reason: 'record listed as an event',
      example: { ...manifest, events: ['records/call.json'] },
      fault: '/events/0 pattern',
    },
    {
      reason: 'duplicate file',
      example: { ...manifest, actions: ['actions/send.json', 'actions/send.json'] },
      fault: '/actions uniqueItems',
    },
    {
      reason: 'file outside of the folder',
      example: { ...manifest, records: ['records/../x.json'] },
      fault: '/records/0 pattern',
    },
  ],
};
