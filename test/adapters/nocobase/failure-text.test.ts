import { failureText } from '../../../plugin/nocobase/client-v2/bulk/failure-text.ts';
import { inEnglish } from '../../../src/builder.ts';

jest.mock('react', () => ({}), { virtual: true });

test.each<[string, object, string]>([
  [
    'a lost response',
    { code: 'ERR_NETWORK', message: 'Network Error' },
    'NocoBase did not respond. Try again: rows that were sent are skipped.',
  ],
  [
    'an answer of the server',
    { code: 'ERR_BAD_REQUEST', response: { data: { errors: [{ message: 'No such batch.' }] } } },
    'No such batch.',
  ],
])('explains %s', (_, error, said) => {
  expect(failureText(inEnglish, error)).toBe(said);
});
