import fc from 'fast-check';
import type { Fault, LoggedRequest } from '../../demo/sandbox/index.ts';
import { TelephonyError } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { size } from '../support/size.ts';
import { account, skipRetryWaits, telephonyAt } from './service.ts';

const cases = size(150, 600);
const seed = 20_261;
/** Many cases wait for a timeout. */
const timeLimitMs = cases * 1_000;
const limits = { idleTimeoutMs: 60, timeoutMs: 1_000, maxAttempts: 4 };

const name = fc.constantFrom<Fault['name'][]>(
  ...(['rate-limited', 'server-error', 'reset-before', 'reset-after'] as const),
  ...(['truncated', 'html', 'empty', 'slow'] as const),
);
const fault = fc
  .record({
    name,
    times: fc.integer({ min: 1, max: 3 }),
    method: fc.constantFrom('GET', 'POST', ''),
    status: fc.constantFrom(500 as const, 503 as const),
    delayMs: fc.constantFrom(1, 1, 1, 60_000),
  })
  .map((one): Fault => ({ ...one, ...(one.name === 'rate-limited' && { retryAfter: 0 }) }));
const operation = fc.constantFrom('sms', 'sms', 'recording', 'call', 'calls');

// A busy machine turns refusals into timeouts, and four refusals in a row are rare.
const refusal = {
  ...({ name: 'rate-limited', times: 3, method: '', status: 500, delayMs: 1 } as const),
  retryAfter: 0,
};
const refused = ['sms', 'recording', 'call'].flatMap((kind) =>
  Array<[Fault[], string[]]>(6).fill([[refusal, refusal], [kind]]),
);

// Random refusals teach the rate limiter of a service a rate that depends on this machine's speed, down to one request per
// second. A new service has a new one.
const casesPerSandbox = 5;

let sandbox: Sandbox;
let caseCount = 0;
let count = 0;
const seen = new Map<string, number>();

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

interface Step {
  run(): Promise<unknown>;
  /** Whether a request belongs to this step. */
  isOwn(request: LoggedRequest): boolean;
  /** How many records it has created; none for a read. */
  stored(): number;
}

function sendOne(): Step {
  count += 1;
  const body = `Message ${count}`;
  return {
    run: () =>
      telephonyAt(sandbox.url, limits).run('send-sms', {
        ...{ from: '+14155550100', to: '+12025550143', body },
      }),
    isOwn: (request) => new URLSearchParams(request.body).get('Body') === body,
    stored: () => sandbox.messages.filter((message) => message.body === body).length,
  };
}

function recordOne(): Step {
  const call = sandbox.calls.find(({ status }) => status === 'in-progress');
  const callSid = call?.sid ?? '';
  // The service allows only one recording at a time, which would hide a request that was sent twice.
  const before = sandbox.recordings.length;
  for (const recording of sandbox.recordings)
    if (recording.status === 'in-progress') recording.status = 'completed';
  return {
    run: () => telephonyAt(sandbox.url, limits).run('create-a-call-recording', { callSid }),
    isOwn: ({ method, path }) => method === 'POST' && path.includes(callSid),
    stored: () => sandbox.recordings.length - before,
  };
}

const read = (run: Step['run']): Step => ({ run, isOwn: () => false, stored: () => 0 });
const steps: Record<string, () => Step> = {
  sms: sendOne,
  recording: recordOne,
  call: () => {
    const sid = sandbox.calls[0]?.sid ?? '';
    return read(() => telephonyAt(sandbox.url, limits).run('view-a-call', { callSid: sid }));
  },
  calls: () => read(() => telephonyAt(sandbox.url, limits).run('account-calls', {})),
};

async function codeOf(run: Step['run']) {
  try {
    await run();
    return 'resolved';
  } catch (error) {
    expect(error).toBeInstanceOf(TelephonyError);
    return (error as TelephonyError).code;
  }
}

const mayStore: Record<string, number[]> = { resolved: [1], 'unknown-outcome': [0, 1] };

/** Waits for aborted requests to arrive: they have once a later request is answered. */
async function allArrived() {
  for (let count = 0; count < 3; count += 1) await fetch(sandbox.origin);
}

async function checkStep(kind: string) {
  sandbox.requests.length = 0;
  const step = steps[kind]?.() as Step;
  const code = await codeOf(step.run);
  if (code === 'unknown-outcome' || code === 'timeout') await allArrived();
  seen.set(`${kind} ${code}`, (seen.get(`${kind} ${code}`) ?? 0) + 1);

  const isRead = kind === 'call' || kind === 'calls';
  const attempts = sandbox.requests.filter(({ method }) => isRead || method === 'POST');
  expect(attempts.length).toBeLessThanOrEqual(limits.maxAttempts);
  if (isRead) return;
  const sent = attempts.filter(step.isOwn);
  expect(sent).toHaveLength(attempts.length);
  // A request that was retried had stored nothing.
  const again = sent.slice(0, -1).map(({ fault, stored }) => [fault, stored]);
  expect(again).toEqual(again.map(() => ['rate-limited', null]));
  expect(sent.filter(({ stored }) => stored !== null)).toHaveLength(step.stored());
  expect(mayStore[code] ?? [0]).toContain(step.stored());
}

test(
  `${cases} random sequences of faults: writes never happen twice, and every reported outcome is true`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 5 }),
        fc.array(operation, { minLength: 1, maxLength: 3 }),
        async (faults, operations) => {
          if (caseCount % casesPerSandbox === 0) sandbox = await openSandbox(account);
          caseCount += 1;
          sandbox.faults.clear();
          for (const one of faults) sandbox.faults.add(one);
          for (const kind of operations) await checkStep(kind);
        },
      ),
      { numRuns: cases, seed, endOnFailure: true, examples: refused },
    );
    // The cases covered every kind of outcome.
    const kinds = ['resolved', 'unknown-outcome', 'rate-limited'];
    for (const kind of ['sms', 'recording'])
      for (const code of kinds)
        expect([kind, code, seen.get(`${kind} ${code}`)]).not.toContain(undefined);
    for (const code of ['resolved', 'unavailable', 'rate-limited', 'bad-answer'])
      expect([code, seen.get(`call ${code}`)]).not.toContain(undefined);
  },
  timeLimitMs,
);
