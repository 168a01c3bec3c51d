import type { Limits } from '../../src/builder.ts';
import { RateLimiter } from '../../src/wire/rate-limiter.ts';
import { errorOf } from './errors.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

// What each request reports to the rate limiter; `rate-limiter.test.ts` tests what that changes.

isolate();

const mockWaits: number[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockWaits.push(milliseconds);
  },
}));

const reported: string[] = [];
let mayRetry = true;
beforeEach(() => {
  mockWaits.length = 0;
  reported.length = 0;
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  jest.spyOn(RateLimiter.prototype, 'acquire').mockImplementation(() => ({
    recordAccepted: () => reported.push('accepted'),
    recordRefused(wait) {
      reported.push(`refused for ${wait}`);
      return mayRetry;
    },
    release: () => reported.push('released'),
  }));
});
afterEach(() => jest.restoreAllMocks());

const calls = { status: 200, body: { calls: [] } };
const busy = (retryAfter?: number): ServiceAnswer => ({
  ...{ status: 429, body: '' },
  ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
});
const trouble = { status: 503, body: '' };

interface Case {
  name: string;
  answers: ServiceAnswer[];
  limits?: Partial<Limits>;
  isGivenUp?: true;
  reported: string[];
  waits?: number[];
  /** The code of the error that it ends in. */
  code?: string;
}

const cases: Case[] = [
  { name: 'of an accepted request for a success', answers: [calls], reported: ['accepted'] },
  {
    name: 'of an accepted request for a rejection',
    answers: [{ status: 400, body: {} }],
    reported: ['accepted'],
    code: 'rejected',
  },
  {
    name: 'of accepted requests for a server error and its retry',
    answers: [trouble, calls],
    reported: ['accepted', 'accepted'],
    waits: [50],
  },
  {
    name: 'of a refusal for status 429',
    answers: [busy(), calls],
    reported: ['refused for 50', 'accepted'],
  },
  {
    name: 'of a refusal with its Retry-After',
    answers: [busy(2), calls],
    reported: ['refused for 2000', 'accepted'],
  },
  {
    name: 'of a refusal without a pause for the last attempt',
    ...{ answers: [busy()], limits: { maxAttempts: 1 } },
    ...{ reported: ['refused for 0'], code: 'rate-limited' },
  },
  {
    name: 'of a refusal with its Retry-After for the last attempt',
    ...{ answers: [busy(2)], limits: { maxAttempts: 1 } },
    ...{ reported: ['refused for 2000'], code: 'rate-limited' },
  },
  {
    name: 'of a refusal that exceeds the retry budget',
    ...{ answers: [busy(2)], isGivenUp: true },
    ...{ reported: ['refused for 2000'], code: 'rate-limited' },
  },
  {
    name: 'of an accepted request for status 429 by another limit',
    ...{ answers: [{ status: 429, body: { code: 21611 } }], limits: { maxAttempts: 1 } },
    ...{ reported: ['accepted'], code: 'rate-limited' },
  },
];

test.each(cases)(
  'the rate limiter learns $name',
  async ({ answers, limits, isGivenUp, waits, ...one }) => {
    mayRetry = !isGivenUp;
    const sent = answerWith(answers);
    const run = telephony(limits).run('account-calls', {});
    if (one.code) expect((await errorOf(run)).code).toBe(one.code);
    else await run;
    expect(reported).toEqual(one.reported);
    expect(mockWaits).toEqual(waits ?? []);
    expect(sent).toHaveLength(answers.length);
  },
);

const audio = { status: 200, body: 'audio', headers: { 'Content-Type': 'audio/mpeg' } };
const stored = { status: 302, body: '', headers: { Location: 'https://storage.test/RE1' } };

const mediaCases: Case[] = [
  { name: 'of an accepted request for audio', answers: [audio], reported: ['accepted'] },
  {
    name: 'of an accepted request for a recording that has no audio',
    ...{ answers: [{ status: 404, body: '' }], reported: ['accepted'], code: 'not-found' },
  },
  {
    name: 'of an accepted request for a server error and its retry',
    ...{ answers: [trouble, audio], reported: ['accepted', 'accepted'], waits: [50] },
  },
  {
    name: 'of a refusal with its Retry-After',
    ...{ answers: [busy(2), audio], reported: ['refused for 2000', 'accepted'] },
  },
  {
    name: 'nothing of a refusal by a storage elsewhere',
    ...{ answers: [stored], reported: ['accepted'], code: 'rate-limited' },
  },
];

test.each(mediaCases)(
  'media: the rate limiter learns $name',
  async ({ answers, reported: expected, waits, code }) => {
    mayRetry = true;
    const sent = answerWith(answers);
    const storage = answerWith([busy(2)], 'https://storage.test');
    const opened = telephony().media('recording', 'RE1');
    if (code) expect((await errorOf(opened)).code).toBe(code);
    else await opened;
    expect(reported).toEqual(expected);
    expect(mockWaits).toEqual(waits ?? []);
    expect(sent).toHaveLength(answers.length);
    expect(storage).toHaveLength(answers.includes(stored) ? 1 : 0);
  },
);

test('the rate limiter learns nothing from an unreachable service', async () => {
  const run = telephony({ maxAttempts: 1 }).run('account-calls', {});
  expect((await errorOf(run)).code).toBe('unavailable');
  expect(reported).toEqual(['released']);
});

test('the rate limiter learns nothing from a request that was never sent', async () => {
  const before = () => Promise.reject(new RangeError('A mistake'));
  const text = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
  await expect(telephony().run('send-sms', text, { beforeSend: before })).rejects.toThrow(
    'A mistake',
  );
  expect(reported).toEqual(['released']);
});
