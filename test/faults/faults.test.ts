import { Axios } from 'axios';
import { errorOf } from '../requests/errors.ts';
import { faults } from './fault-table.ts';
import { meet } from './meet.ts';
import { hurry, sms, telephonyAt } from './service.ts';

test('every fault has a name of its own', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

describe.each(faults)('$name', (fault) => {
  test.each(['read', 'write'] as const)('at a %s', async (operation) => {
    const { outcome } = await meet(fault, operation);
    expect(outcome).toEqual(fault[operation]);
  });
});

// No server of this machine can take away the way to itself.
test.each([
  ['connect EHOSTUNREACH 10.0.0.1:443', 'unavailable', 3],
  ['read EHOSTUNREACH', 'unknown-outcome', 1],
  ['write ENETUNREACH', 'unknown-outcome', 1],
])('a write that ends in "%s" is %s and was tried so often: %i', async (message, code, tries) => {
  const random = hurry();
  const failure = Object.assign(new Error(message), { code: message.split(' ')[1] });
  const sends = jest.spyOn(Axios.prototype, 'request').mockRejectedValue(failure);
  const run = telephonyAt('https://telephony.invalid', { tries: 3 }).run('send-sms', sms);
  expect((await errorOf(run)).code).toBe(code);
  expect(sends).toHaveBeenCalledTimes(tries);
  random.mockRestore();
  sends.mockRestore();
});
