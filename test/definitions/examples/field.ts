import { type Examples, without } from './examples.ts';

const phone = { key: 'from', in: 'query', name: 'From', type: 'phone', label: 'From' };
const path = { ...phone, key: 'callSid', in: 'path', name: 'CallSid', type: 'sid', required: true };
const choice = { ...phone, key: 'status', name: 'Status', type: 'choice', options: ['busy'] };
const integer = { ...phone, key: 'size', name: 'Size', type: 'integer', minimum: 1, maximum: 9 };
const text = { ...phone, key: 'body', in: 'form', name: 'Body', type: 'text', maxLength: 1600 };

export const fieldExamples: Examples = {
  valid: [
    phone,
    path,
    choice,
    integer,
    text,
    { ...phone, help: 'The number of the caller.', placeholder: '+14155550100', column: 'caller' },
    { ...choice, default: 'busy', required: true },
    { ...integer, default: 5 },
    { ...text, multiline: true },
    { ...integer, purpose: 'page-size' },
    { ...phone, purpose: 'sender' },
  ],
  invalid: [
    { reason: 'no place on the wire', example: without(phone, 'in'), fault: ' required' },
    { reason: 'unknown place', example: { ...phone, in: 'header' }, fault: '/in enum' },
    {
      reason: 'a phone number that sizes a page',
      example: { ...phone, purpose: 'page-size' },
      fault: '/type const',
    },
    {
      reason: 'a number that is a sender',
      example: { ...integer, purpose: 'sender' },
      fault: '/type const',
    },
    {
      reason: 'a text that is a sender',
      example: { ...text, purpose: 'sender' },
      fault: '/type const',
    },
    { reason: 'unknown purpose', example: { ...phone, purpose: 'x' }, fault: '/purpose enum' },
    { reason: 'unknown type', example: { ...phone, type: 'email' }, fault: '/type enum' },
    { reason: 'unknown key', example: { ...phone, hint: 'x' }, fault: ' additionalProperties' },
    { reason: 'key with a dash', example: { ...phone, key: 'call-er' }, fault: '/key pattern' },
    {
      reason: 'wire name in camelCase',
      example: { ...phone, name: 'from' },
      fault: '/name pattern',
    },
    { reason: 'empty label', example: { ...phone, label: '' }, fault: '/label minLength' },
    {
      reason: 'help is no sentence',
      example: { ...phone, help: 'the number' },
      fault: '/help pattern',
    },
    {
      reason: 'optional path field',
      example: { ...path, required: false },
      fault: '/required const',
    },
    { reason: 'path field of text', example: { ...path, type: 'phone' }, fault: '/type const' },
    { reason: 'choice without options', example: without(choice, 'options'), fault: ' required' },
    { reason: 'no options', example: { ...choice, options: [] }, fault: '/options minItems' },
    {
      reason: 'option twice',
      example: { ...choice, options: ['busy', 'busy'] },
      fault: '/options uniqueItems',
    },
    {
      reason: 'options of a phone',
      example: { ...phone, options: ['+1'] },
      fault: '/options false schema',
    },
    { reason: 'integer without end', example: without(integer, 'maximum'), fault: ' required' },
    {
      reason: 'text as an integer default',
      example: { ...integer, default: '5' },
      fault: '/default type',
    },
    { reason: 'text without end', example: without(text, 'maxLength'), fault: ' required' },
    {
      reason: 'phone of several lines',
      example: { ...phone, multiline: true },
      fault: '/multiline false schema',
    },
  ],
};
