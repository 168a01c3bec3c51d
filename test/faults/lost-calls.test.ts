import type { Fault } from '../../demo/sandbox/index.ts';
import { TelephonyError } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { account, skipRetryWaits, telephonyAt } from './service.ts';

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

const call = { from: '+14155550100', to: '+12025550199', say: 'Your table is ready.' };
const lost: Fault = { name: 'reset-after', method: 'POST' };
const never: Fault = { name: 'reset-before', method: 'POST' };

async function placed(fault: Fault, prepare?: 'forwarded') {
  const sandbox = await openSandbox(account);
  if (prepare) {
    // An incoming call is forwarded between the same numbers in the same second.
    const [other] = sandbox.calls;
    const now = new Date().toUTCString().replace('GMT', '+0000');
    const { from, to } = call;
    Object.assign(other ?? {}, { from, to, direction: 'outbound-dial', date_created: now });
  }
  sandbox.faults.add(fault);
  const before = sandbox.calls.length;
  const result = await telephonyAt(sandbox.url)
    .run('make-a-call', call)
    .then(
      ({ sid }) => sid,
      (error) => (error instanceof TelephonyError ? error.code : String(error)),
    );
  return { result, created: sandbox.calls.slice(0, sandbox.calls.length - before), sandbox };
}

test('a call whose response was lost is found in the call log, and placed once', async () => {
  const { result, created } = await placed(lost);
  expect(created.map(({ sid, to, direction }) => [sid, to, direction])).toEqual([
    [result, call.to, 'outbound-api'],
  ]);
});

test('a call that was never placed has an unknown outcome, and is not retried', async () => {
  const { result, created, sandbox } = await placed(never);
  expect([result, created]).toEqual(['unknown-outcome', []]);
  expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a forwarded call between the same numbers is not taken for the call', async () => {
  const { result, created } = await placed(never, 'forwarded');
  expect([result, created]).toEqual(['unknown-outcome', []]);
});
