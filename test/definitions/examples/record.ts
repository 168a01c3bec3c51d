import { type Examples, without } from './examples.ts';

const sid = { key: 'sid', name: 'sid', type: 'sid', label: 'SID' };
const record = {
  $schema: '../schema/record.schema.json',
  id: 'call',
  name: 'Call',
  description: 'A call.',
  key: 'sid',
  fields: [sid],
};
const price = { ...sid, key: 'price', name: 'price', type: 'number' };
const status = { ...sid, key: 'status', name: 'status', type: 'choice', options: ['busy'] };

const media = { kind: 'audio', path: '/Recordings/{sid}.mp3', label: 'Listen' };

export const recordExamples: Examples = {
  valid: [
    record,
    { ...record, fields: [sid, { ...status, status: true }] },
    { ...record, createdAt: 'dateCreated' },
    { ...record, media },
    {
      ...record,
      media: { ...media, without: [{ field: 'status', values: ['busy'], message: 'Not yet.' }] },
    },
    { ...record, media: { ...media, unless: 'encryption', otherwise: 'It is encrypted.' } },
    {
      ...record,
      media: {
        ...{ kind: 'picture', path: '/Messages/{parentSid}/Media/{sid}', label: 'Picture' },
        ...{ type: 'contentType', otherwise: 'It is no picture.' },
      },
    },
    { ...record, fields: [sid, { ...sid, key: 'callSid', name: 'call_sid', refersTo: 'call' }] },
    { ...record, fields: [sid, { ...price, currency: 'priceUnit', usual: true }] },
    { ...record, fields: [sid, { ...price, type: 'text', explains: 'errorCode' }] },
    { ...record, fields: [sid, { ...price, key: 'sms', name: 'capabilities.sms' }] },
  ],
  invalid: [
    {
      reason: 'a text as the status of a record',
      example: { ...record, fields: [sid, { ...price, type: 'text', status: true }] },
      fault: '/fields/1/type const',
    },
    {
      reason: 'a number that explains a code',
      example: { ...record, fields: [sid, { ...price, explains: 'errorCode' }] },
      fault: '/fields/1/type const',
    },
    {
      reason: 'wire name within two objects',
      example: { ...record, fields: [sid, { ...price, name: 'a.b.c' }] },
      fault: '/fields/1/name pattern',
    },
    { reason: 'no fields', example: { ...record, fields: [] }, fault: '/fields minItems' },
    {
      reason: 'media path without the key of the record',
      example: { ...record, media: { ...media, path: '/Recordings.mp3' } },
      fault: '/media/path pattern',
    },
    {
      reason: 'media of an unknown kind',
      example: { ...record, media: { ...media, kind: 'page' } },
      fault: '/media/kind enum',
    },
    {
      reason: 'media of a type, and nothing to say of another one',
      example: { ...record, media: { ...media, type: 'contentType' } },
      fault: '/media dependencies',
    },
    { reason: 'no name', example: without(record, 'name'), fault: ' required' },
    {
      reason: 'several creation dates',
      example: { ...record, createdAt: ['dateCreated'] },
      fault: '/createdAt type',
    },
    { reason: 'no key', example: without(record, 'key'), fault: ' required' },
    {
      reason: 'wire name in camelCase',
      example: { ...record, fields: [{ ...sid, name: 'callSid' }] },
      fault: '/fields/0/name pattern',
    },
    {
      reason: 'choice without options',
      example: { ...record, fields: [without(status, 'options')] },
      fault: '/fields/0 required',
    },
    {
      reason: 'options for a SID',
      example: { ...record, fields: [{ ...sid, options: ['a'] }] },
      fault: '/fields/0/options false schema',
    },
    {
      reason: 'a choice that refers to a record',
      example: { ...record, fields: [{ ...status, refersTo: 'call' }] },
      fault: '/fields/0/type const',
    },
    {
      reason: 'currency for a text',
      example: { ...record, fields: [{ ...price, type: 'text', currency: 'priceUnit' }] },
      fault: '/fields/0/type const',
    },
    {
      reason: 'a technical field shown by default',
      example: { ...record, fields: [{ ...sid, usual: true, technical: true }] },
      fault: '/fields/0/technical false schema',
    },
    {
      reason: 'unknown key of a field',
      example: { ...record, fields: [{ ...sid, in: 'query' }] },
      fault: '/fields/0 additionalProperties',
    },
  ],
};
