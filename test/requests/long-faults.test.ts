import { errorOf } from './errors.ts';
import { answerWith, isolate, telephony } from './service.ts';

isolate();

const size = 10_000_000;

test.each([
  ['a sentence', { message: 'x'.repeat(size) }],
  [
    'many faults',
    { errors: Array.from({ length: size / 20 }, (_, index) => ({ detail: `x${index}` })) },
  ],
  ['no JSON', '<'.repeat(size)],
])('parses at most 100 kB of an error response of 10 MB: %s', async (_, body) => {
  answerWith([{ status: 400, body }]);
  const parse = jest.spyOn(JSON, 'parse');
  const error = await errorOf(telephony().run('account-calls', {}));
  // Other code parses JSON, too, such as source maps.
  const start = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 15);
  const parsed = parse.mock.calls.filter(([text]) => text.startsWith(start));
  parse.mockRestore();
  expect(error.code).toBe('rejected');
  expect(error.message.length).toBeLessThan(500);
  expect(parsed.map(([text]) => text.length)).toEqual([100_000]);
});
