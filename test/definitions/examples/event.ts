import { type Examples, without } from './examples.ts';

const given = { name: 'Body', given: true };
const sid = { name: 'MessageSid', key: 'sid' };
const account = { name: 'AccountSid', key: 'accountSid', purpose: 'account' };
const event = {
  $schema: '../schema/event.schema.json',
  id: 'letter-received',
  name: 'Letter received',
  description: 'A letter came in.',
  setUp: 'Enter the address at the letter box.',
  when: [given],
  parameters: [sid, account],
  identifiedBy: ['sid'],
  result: { of: 'message' },
};
const order = { by: 'status', steps: [['sent'], ['delivered', 'failed']] };
const polled = { source: 'all-letters', since: 'dateCreated', hours: 12 };
const reply = {
  id: 'reply-by-letter',
  name: 'Reply: By letter',
  description: 'Sends a letter back.',
  elements: ['Letter'],
  fields: [
    {
      ...{ key: 'text', in: 'element', name: 'Letter', type: 'text', label: 'Text' },
      maxLength: 160,
    },
  ],
};
const optOut = { is: 'out', recipient: 'from', senders: ['to'] };
const withReply = (change: object) => ({ ...event, replies: [{ ...reply, ...change }] });

export const eventExamples: Examples = {
  valid: [
    event,
    { ...event, when: [{ name: 'Status', oneOf: ['read'] }, given] },
    { ...event, fixed: { direction: 'inbound' }, order },
    { ...event, unless: [[given], [{ name: 'Status', oneOf: ['read'] }, given]] },
    withReply({}),
    { ...withReply({}), needsReply: true },
    withReply({
      fixed: { 'Letter.stamp': 'red' },
      reported: { event: 'letter-read', to: 'Letter.callback' },
      maxLength: 4000,
    }),
    withReply({ elements: ['Letter', 'Stamp'], within: { Stamp: 'Letter' } }),
    { ...event, repliesLike: 'card-received' },
    { ...event, of: 'card-received', optOut },
    { ...event, optOut: { ...optOut, ifError: 'errorCode' } },
    { ...event, parameters: [{ ...sid, in: 'query' }, account] },
    { ...event, polled },
    { ...without(event, 'when'), raisedBy: 'limit' },
    { ...event, polled: { ...polled, only: { direction: ['inbound'] } } },
  ],
  invalid: [
    {
      reason: 'no conditions that identify the event',
      example: without(event, 'when'),
      fault: ' required',
    },
    {
      reason: 'conditions although no request of the service is the event',
      example: { ...event, raisedBy: 'limit' },
      fault: '/when false schema',
    },
    {
      reason: 'empty list of conditions',
      example: { ...event, when: [] },
      fault: '/when minItems',
    },
    {
      reason: 'a condition that requires nothing',
      example: { ...event, when: [{ name: 'Body' }] },
      fault: '/when/0 required',
    },
    {
      reason: 'a condition with two requirements',
      example: { ...event, when: [{ ...given, oneOf: ['a'] }] },
      fault: '/when/0/given false schema',
    },
    {
      reason: 'a parameter whose name is not in PascalCase',
      example: { ...event, parameters: [{ ...sid, name: 'message_sid' }] },
      fault: '/parameters/0/name pattern',
    },
    {
      reason: 'a parameter that fills no field of the record',
      example: { ...event, parameters: [without(sid, 'key')] },
      fault: '/parameters/0 required',
    },
    {
      reason: 'a parameter with an unknown purpose',
      example: { ...event, parameters: [{ ...sid, purpose: 'sender' }] },
      fault: '/parameters/0/purpose const',
    },
    {
      reason: 'no fields that identify the event',
      example: { ...event, identifiedBy: [] },
      fault: '/identifiedBy minItems',
    },
    {
      reason: 'an empty fixed value',
      example: { ...event, fixed: { direction: '' } },
      fault: '/fixed/direction minLength',
    },
    {
      reason: 'an order of one step',
      example: { ...event, order: { ...order, steps: [['sent']] } },
      fault: '/order/steps minItems',
    },
    {
      reason: 'a step without values',
      example: { ...event, order: { ...order, steps: [['sent'], []] } },
      fault: '/order/steps/1 minItems',
    },
    {
      reason: 'an empty list of conditions that exclude it',
      example: { ...event, unless: [[]] },
      fault: '/unless/0 minItems',
    },
    {
      reason: 'replies of its own and those of another event',
      example: { ...withReply({}), repliesLike: 'card-received' },
      fault: '/replies false schema',
    },
    {
      reason: 'a reply to a part of another event',
      example: { ...withReply({}), of: 'card-received' },
      fault: '/replies false schema',
    },
    {
      reason: 'a part of another event that is polled',
      example: { ...event, of: 'card-received', polled },
      fault: '/polled false schema',
    },
    {
      reason: 'an opt-out of messages from no one',
      example: { ...event, optOut: { ...optOut, senders: [] } },
      fault: '/optOut/senders minItems',
    },
    {
      reason: 'neither an opt-out nor an opt-in',
      example: { ...event, optOut: without(optOut, 'is') },
      fault: '/optOut required',
    },
    {
      reason: 'a parameter in the path',
      example: { ...event, parameters: [{ ...sid, in: 'path' }, account] },
      fault: '/parameters/0/in const',
    },
    {
      reason: 'no element inside another one',
      example: withReply({ within: {} }),
      fault: '/replies/0/within minProperties',
    },
    {
      reason: 'no reply in the list of replies',
      example: { ...event, replies: [] },
      fault: '/replies minItems',
    },
    {
      reason: 'a needed reply without a form',
      example: { ...event, needsReply: true },
      fault: ' dependencies',
    },
    {
      reason: 'a reply without elements',
      example: withReply({ elements: [] }),
      fault: '/replies/0/elements minItems',
    },
    {
      reason: 'a reply that asks for nothing',
      example: withReply({ fields: [] }),
      fault: '/replies/0/fields minItems',
    },
    {
      reason: 'a field that is an attribute without its element',
      example: withReply({
        fields: [
          { ...{ key: 'stamp', in: 'attribute', name: 'Stamp', type: 'sid' }, label: 'Stamp' },
        ],
      }),
      fault: '/replies/0/fields/0/name pattern',
    },
    {
      reason: 'a request, which only operations have',
      example: { ...event, request: { method: 'POST', path: '/Messages.json' } },
      fault: ' additionalProperties',
    },
    {
      reason: 'polling without a time span',
      example: { ...event, polled: without(polled, 'hours') },
      fault: '/polled required',
    },
    {
      reason: 'polling with an empty filter',
      example: { ...event, polled: { ...polled, only: {} } },
      fault: '/polled/only minProperties',
    },
    {
      reason: 'polling with a path of its own',
      example: { ...event, polled: { ...polled, path: '/Letters.json' } },
      fault: '/polled additionalProperties',
    },
    {
      reason: 'no instructions for setting it up',
      example: without(event, 'setUp'),
      fault: ' required',
    },
  ],
};
