import { type Examples, without } from './examples.ts';

const error = { code: 21211, sentence: 'The number is wrong.', field: 'to' };
const errors = { $schema: 'schema/errors.schema.json', errors: [error] };

export const errorsExamples: Examples = {
  valid: [
    errors,
    { ...errors, errors: [] },
    { ...errors, errors: [without(error, 'field')] },
    { ...errors, errors: [{ ...error, otherLimit: true }] },
  ],
  invalid: [
    { reason: 'no list', example: without(errors, 'errors'), fault: ' required' },
    {
      reason: 'code as text',
      example: { ...errors, errors: [{ ...error, code: '21211' }] },
      fault: '/errors/0/code type',
    },
    {
      reason: 'an HTTP status as the code',
      example: { ...errors, errors: [{ ...error, code: 404 }] },
      fault: '/errors/0/code minimum',
    },
    {
      reason: 'explanation that is not a sentence',
      example: { ...errors, errors: [{ ...error, sentence: 'wrong number' }] },
      fault: '/errors/0/sentence pattern',
    },
    {
      reason: '"otherLimit" that is false',
      example: { ...errors, errors: [{ ...error, otherLimit: false }] },
      fault: '/errors/0/otherLimit const',
    },
    {
      reason: 'unknown key',
      example: { ...errors, errors: [{ ...error, status: 400 }] },
      fault: '/errors/0 additionalProperties',
    },
  ],
};
