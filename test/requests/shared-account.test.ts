import { memoryStore } from '../../src/builder.ts';
import { sharedAccount } from '../../src/connect.ts';

const store = memoryStore();
const account = (number: number) =>
  sharedAccount({ username: `AC${number}`, password: 'secret' }, store);

test('shares the hundred accounts that were used last', () => {
  const [first, second] = [account(0), account(1)];
  for (let number = 2; number < 100; number += 1) account(number);
  expect(account(0)).toBe(first);
  account(100);
  expect(account(0)).toBe(first);
  expect(account(1) === second).toBe(false);
});
