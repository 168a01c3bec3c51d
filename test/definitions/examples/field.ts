import { type Examples, without } from './examples.ts';

const phone = { key: 'from', in: 'query', name: 'From', type: 'phone', label: 'From' };
const path = { ...phone, key: 'callSid', in: 'path', name: 'CallSid', type: 'sid', required: true };
const choice = { ...phone, key: 'status', name: 'Status', type: 'choice', options: ['busy'] };
const integer = { ...phone, key: 'size', name: 'Size', type: 'integer', minimum: 1, maximum: 9 };
const text = { ...phone, key: 'body', in: 'form', name: 'Body', type: 'text', maxLength: 1600 };
const schedule = { with: { kind: 'fixed' }, minMinutes: 15, maxDays: 35, status: 'scheduled' };
const later = {
  ...{ ...phone, key: 'sendAt', in: 'form', name: 'SendAt', type: 'date', purpose: 'send-at' },
  ...{ needs: ['kind'], schedule },
};
const choices = { source: 'phone-numbers', value: 'phoneNumber', label: 'friendlyName' };

export const fieldExamples: Examples = {
  valid: [
    phone,
    path,
    { ...path, type: 'phone' },
    choice,
    integer,
    text,
    { ...phone, help: 'The number of the caller.', placeholder: '+14155550100', column: 'caller' },
    { ...choice, default: 'busy', required: true },
    { ...integer, default: 5 },
    { ...text, multiline: true },
    { ...integer, purpose: 'page-size' },
    { ...phone, purpose: 'sender' },
    { ...phone, choices },
    { ...text, choices: { ...choices, if: 'sms' } },
    { ...phone, key: 'startDate', name: 'StartDate', type: 'day', range: 'start' },
    later,
  ],
  invalid: [
    { reason: 'no location in the request', example: without(phone, 'in'), fault: ' required' },
    {
      reason: 'unknown location in the request',
      example: { ...phone, in: 'header' },
      fault: '/in enum',
    },
    {
      reason: 'a phone number as the page size',
      example: { ...phone, purpose: 'page-size' },
      fault: '/type const',
    },
    {
      reason: 'an integer as the sender',
      example: { ...integer, purpose: 'sender' },
      fault: '/type const',
    },
    {
      reason: 'a text as the sender',
      example: { ...text, purpose: 'sender' },
      fault: '/type const',
    },
    {
      reason: 'choices without a label',
      example: { ...phone, choices: without(choices, 'label') },
      fault: '/choices required',
    },
    {
      reason: 'choices with a condition of another name',
      example: { ...phone, choices: { ...choices, unless: 'sms' } },
      fault: '/choices additionalProperties',
    },
    {
      reason: 'choices next to options',
      example: { ...choice, choices },
      fault: '/choices false schema',
    },
    {
      reason: 'choices of an integer',
      example: { ...integer, choices },
      fault: '/choices false schema',
    },
    {
      reason: 'a later time without its schedule',
      example: without(later, 'schedule'),
      fault: ' required',
    },
    {
      reason: 'a schedule of another field',
      example: { ...without(later, 'purpose'), schedule },
      fault: '/schedule false schema',
    },
    {
      reason: 'a schedule without its longest time',
      example: { ...later, schedule: without(schedule, 'maxDays') },
      fault: '/schedule required',
    },
    {
      reason: 'a schedule that fills in nothing',
      example: { ...later, schedule: { ...schedule, with: {} } },
      fault: '/schedule/with minProperties',
    },
    { reason: 'a range of texts', example: { ...text, range: 'start' }, fault: '/type const' },
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
      reason: 'help that is not a sentence',
      example: { ...phone, help: 'the number' },
      fault: '/help pattern',
    },
    {
      reason: 'optional path field',
      example: { ...path, required: false },
      fault: '/required const',
    },
    {
      reason: 'text as a path field',
      example: { ...path, type: 'text', maxLength: 9 },
      fault: '/type enum',
    },
    { reason: 'choice without options', example: without(choice, 'options'), fault: ' required' },
    { reason: 'no options', example: { ...choice, options: [] }, fault: '/options minItems' },
    {
      reason: 'duplicate option',
      example: { ...choice, options: ['busy', 'busy'] },
      fault: '/options uniqueItems',
    },
    {
      reason: 'options for a phone number',
      example: { ...phone, options: ['+1'] },
      fault: '/options false schema',
    },
    {
      reason: 'integer without a maximum',
      example: without(integer, 'maximum'),
      fault: ' required',
    },
    {
      reason: 'text as an integer default',
      example: { ...integer, default: '5' },
      fault: '/default type',
    },
    {
      reason: 'text without a maximum length',
      example: without(text, 'maxLength'),
      fault: ' required',
    },
    {
      reason: 'multi-line phone number',
      example: { ...phone, multiline: true },
      fault: '/multiline false schema',
    },
  ],
};
