import { type Examples, without } from './examples.ts';

const to = { key: 'to', in: 'form', name: 'To', type: 'phone', label: 'To', required: true };
const action = {
  $schema: '../schema/action.schema.json',
  id: 'send',
  name: 'Send',
  description: 'Sends a message.',
  request: { method: 'POST', path: '/Messages.json' },
  fields: [to],
  result: { of: 'message' },
  done: 'Message {sid} sent',
  ifUnknown: 'Look at the log.',
};

const reported = { event: 'message-status', to: 'StatusCallback' };
const confirmedBy = { source: 'log', fields: ['to'], since: 'dateCreated' };

export const actionExamples: Examples = {
  valid: [
    action,
    { ...action, fields: [] },
    { ...action, done: 'Sent' },
    { ...action, results: { one: '1 message', other: '{count} messages' } },
    { ...action, counts: 'message' },
    { ...action, confirmedBy },
    { ...action, request: { ...action.request, fixed: { Status: 'completed' } } },
    { ...action, request: { ...action.request, fixed: { Body: '' } } },
    { ...action, request: { method: 'DELETE', path: '/Messages/{MessageSid}.json' } },
    { ...action, asks: 'Send it to {to}?' },
    { ...action, asks: 'Delete {to}? This is final.' },
    { ...action, confirmedBy: { ...confirmedBy, also: ['from'] } },
    { ...action, reported },
    { ...action, connects: { webhooks: [{ url: 'smsUrl', method: 'smsMethod' }] } },
    { ...action, confirmedBy: { ...confirmedBy, unless: { field: 'direction', values: ['in'] } } },
    { ...action, exactlyOneOf: ['body', 'mediaUrl'] },
    { ...action, reported: { ...reported, with: { name: 'Step', values: ['sent'] } } },
  ],
  invalid: [
    { reason: 'no sentence for success', example: without(action, 'done'), fault: ' required' },
    {
      reason: 'no advice for an unknown outcome',
      example: without(action, 'ifUnknown'),
      fault: ' required',
    },
    {
      reason: 'a webhook without a method',
      example: { ...action, connects: { webhooks: [{ url: 'smsUrl' }] } },
      fault: '/connects/webhooks/0 required',
    },
    { reason: 'unknown key', example: { ...action, undo: 'x' }, fault: ' additionalProperties' },
    {
      reason: 'counted as something else',
      example: { ...action, counts: 'letter' },
      fault: '/counts enum',
    },
    {
      reason: 'results without a number',
      example: { ...action, results: { one: '1 message', other: 'messages' } },
      fault: '/results/other pattern',
    },
    {
      reason: 'a method that reads',
      example: { ...action, request: { method: 'GET', path: '/Messages.json' } },
      fault: '/request/method enum',
    },
    {
      reason: 'a question that names nothing',
      example: { ...action, asks: 'Send it?' },
      fault: '/asks pattern',
    },
    {
      reason: 'no fixed parameters',
      example: { ...action, request: { ...action.request, fixed: {} } },
      fault: '/request/fixed minProperties',
    },
    {
      reason: 'a list as the result',
      example: { ...action, result: { of: 'message', list: 'messages' } },
      fault: '/result additionalProperties',
    },
    {
      reason: 'name with a space at its end',
      example: { ...action, name: 'Send ' },
      fault: '/name pattern',
    },
    {
      reason: '"reported" without the field of its callback URL',
      example: { ...action, reported: { event: 'message-status' } },
      fault: '/reported required',
    },
    {
      reason: '"confirmedBy" without a date field',
      example: { ...action, confirmedBy: without(confirmedBy, 'since') },
      fault: '/confirmedBy required',
    },
    {
      reason: '"confirmedBy" that compares no field',
      example: { ...action, confirmedBy: { ...confirmedBy, fields: [] } },
      fault: '/confirmedBy/fields minItems',
    },
    {
      reason: '"confirmedBy" with an empty "also"',
      example: { ...action, confirmedBy: { ...confirmedBy, also: [] } },
      fault: '/confirmedBy/also minItems',
    },
    {
      reason: '"exactlyOneOf" with a single field',
      example: { ...action, exactlyOneOf: ['body'] },
      fault: '/exactlyOneOf minItems',
    },
    {
      reason: '"reported.with" without values',
      example: { ...action, reported: { ...reported, with: { name: 'Step', values: [] } } },
      fault: '/reported/with/values minItems',
    },
    {
      reason: '"confirmedBy.unless" without values',
      example: { ...action, confirmedBy: { ...confirmedBy, unless: { field: 'direction' } } },
      fault: '/confirmedBy/unless required',
    },
    {
      reason: 'faulty field',
      example: { ...action, fields: [{ ...to, type: 'number' }] },
      fault: '/fields/0/type enum',
    },
  ],
};
