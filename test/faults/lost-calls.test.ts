import type { Fault } from '../../demo/sandbox/index.ts';
import { TelephonyError } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { account, hurry, telephonyAt } from './service.ts';

// A call rings at someone's, as an SMS reaches them: it is placed once, whatever becomes of the response.

beforeEach(() => hurry());
afterEach(() => jest.restoreAllMocks());

const call = { from: '+14155550100', to: '+12025550199', say: 'Your table is ready.' };
const lost: Fault = { name: 'reset-after', method: 'POST' };
const never: Fault = { name: 'reset-before', method: 'POST' };

async function placed(fault: Fault, prepare?: 'forwarded') {
  const sandbox = await openSandbox(account);
  if (prepare) {
    // Someone's call is forwarded to the same person by the same number, in the same second.
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
  return { result, made: sandbox.calls.slice(0, sandbox.calls.length - before), sandbox };
}

test('a call whose response was lost is found in the call log, and placed once', async () => {
  const { result, made } = await placed(lost);
  expect(made.map(({ sid, to, direction }) => [sid, to, direction])).toEqual([
    [result, call.to, 'outbound-api'],
  ]);
});

test('a call that was never placed has an unknown outcome, and is not placed again', async () => {
  const { result, made, sandbox } = await placed(never);
  expect([result, made]).toEqual(['unknown-outcome', []]);
  expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a forwarded call between the same numbers is not taken for the call', async () => {
  const { result, made } = await placed(never, 'forwarded');
  expect([result, made]).toEqual(['unknown-outcome', []]);
});
