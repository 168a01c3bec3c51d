import type { Limits } from '../../src/builder.ts';
import { RateLimiter } from '../../src/wire/rate-limiter.ts';
import { errorOf } from './errors.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

// What the account's pace hears of each request; what it makes of that is tested in `pace.test.ts`.

isolate();

const mockWaits: number[] = [];
jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    mockWaits.push(milliseconds);
  },
}));

const heard: string[] = [];
let isHeld = true;
beforeEach(() => {
  mockWaits.length = 0;
  heard.length = 0;
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  jest.spyOn(RateLimiter.prototype, 'turn').mockImplementation(() => ({
    accepted: () => heard.push('accepted'),
    refused(wait) {
      heard.push(`refused for ${wait}`);
      return isHeld;
    },
    ended: () => heard.push('ended'),
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
  heard: string[];
  waits?: number[];
  /** The code of the error that it ends in. */
  code?: string;
}

const cases: Case[] = [
  { name: 'of an accepted request for a success', answers: [calls], heard: ['accepted'] },
  {
    name: 'of an accepted request for a rejection',
    answers: [{ status: 400, body: {} }],
    heard: ['accepted'],
    code: 'rejected',
  },
  {
    name: 'of accepted requests for a server error and its retry',
    answers: [trouble, calls],
    heard: ['accepted', 'accepted'],
    waits: [50],
  },
  {
    name: 'of a refusal for status 429',
    answers: [busy(), calls],
    heard: ['refused for 50', 'accepted'],
  },
  {
    name: 'of a refusal with its Retry-After',
    answers: [busy(2), calls],
    heard: ['refused for 2000', 'accepted'],
  },
  {
    name: 'of a refusal without a pause for the last attempt',
    ...{ answers: [busy()], limits: { maxAttempts: 1 } },
    ...{ heard: ['refused for 0'], code: 'rate-limited' },
  },
  {
    name: 'of a refusal with its Retry-After for the last attempt',
    ...{ answers: [busy(2)], limits: { maxAttempts: 1 } },
    ...{ heard: ['refused for 2000'], code: 'rate-limited' },
  },
  {
    name: 'of a refusal that exceeds the retry budget',
    ...{ answers: [busy(2)], isGivenUp: true },
    ...{ heard: ['refused for 2000'], code: 'rate-limited' },
  },
  {
    name: 'of an accepted request for status 429 by another limit',
    ...{ answers: [{ status: 429, body: { code: 21611 } }], limits: { maxAttempts: 1 } },
    ...{ heard: ['accepted'], code: 'rate-limited' },
  },
];

test.each(cases)(
  'the rate limiter learns $name',
  async ({ answers, limits, isGivenUp, waits, ...one }) => {
    isHeld = !isGivenUp;
    const sent = answerWith(answers);
    const run = telephony(limits).run('account-calls', {});
    if (one.code) expect((await errorOf(run)).code).toBe(one.code);
    else await run;
    expect(heard).toEqual(one.heard);
    expect(mockWaits).toEqual(waits ?? []);
    expect(sent).toHaveLength(answers.length);
  },
);

const audio = { status: 200, body: 'audio', headers: { 'Content-Type': 'audio/mpeg' } };
const stored = { status: 302, body: '', headers: { Location: 'https://storage.test/RE1' } };

const mediaCases: Case[] = [
  { name: 'of an accepted request for audio', answers: [audio], heard: ['accepted'] },
  {
    name: 'of an accepted request for a recording that has no audio',
    ...{ answers: [{ status: 404, body: '' }], heard: ['accepted'], code: 'not-found' },
  },
  {
    name: 'of an accepted request for a server error and its retry',
    ...{ answers: [trouble, audio], heard: ['accepted', 'accepted'], waits: [50] },
  },
  {
    name: 'of a refusal with its Retry-After',
    ...{ answers: [busy(2), audio], heard: ['refused for 2000', 'accepted'] },
  },
  {
    name: 'nothing of a refusal by a storage elsewhere',
    ...{ answers: [stored], heard: ['accepted'], code: 'rate-limited' },
  },
];

test.each(mediaCases)(
  'media: the rate limiter learns $name',
  async ({ answers, heard: expected, waits, code }) => {
    isHeld = true;
    const sent = answerWith(answers);
    const storage = answerWith([busy(2)], 'https://storage.test');
    const opened = telephony().media('recording', 'RE1');
    if (code) expect((await errorOf(opened)).code).toBe(code);
    else await opened;
    expect(heard).toEqual(expected);
    expect(mockWaits).toEqual(waits ?? []);
    expect(sent).toHaveLength(answers.length);
    expect(storage).toHaveLength(answers.includes(stored) ? 1 : 0);
  },
);

test('the rate limiter learns nothing from an unreachable service', async () => {
  const run = telephony({ maxAttempts: 1 }).run('account-calls', {});
  expect((await errorOf(run)).code).toBe('unavailable');
  expect(heard).toEqual(['ended']);
});

test('the rate limiter learns nothing from a request that was never sent', async () => {
  const before = () => Promise.reject(new RangeError('A mistake'));
  const text = { from: '+1', to: '+2', body: 'Hello' };
  await expect(telephony().run('send-sms', text, { beforeSend: before })).rejects.toThrow(
    'A mistake',
  );
  expect(heard).toEqual(['ended']);
});
