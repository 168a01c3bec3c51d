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
])('reads a refusal of 10 MB in no time: %s', async (_, body) => {
  answerWith([{ status: 400, body }]);
  const begun = process.cpuUsage();
  const error = await errorOf(telephony().run('account-calls', {}));
  const { user } = process.cpuUsage(begun);
  expect(error.code).toBe('rejected');
  expect(error.message.length).toBeLessThan(500);
  expect(user / 1_000).toBeLessThan(600);
});
