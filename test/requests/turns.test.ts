import type { Limits } from '../../src/index.ts';
import { Pace } from '../../src/wire/pace.ts';
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
  jest.spyOn(Pace.prototype, 'turn').mockImplementation(() => ({
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
  { name: 'an answer', answers: [calls], heard: ['accepted'] },
  {
    name: 'a refusal',
    answers: [{ status: 400, body: {} }],
    heard: ['accepted'],
    code: 'rejected',
  },
  {
    name: 'trouble',
    answers: [trouble, calls],
    heard: ['accepted', 'accepted'],
    waits: [50],
  },
  { name: 'too many', answers: [busy(), calls], heard: ['refused for 50', 'accepted'] },
  {
    name: 'too many, and when to come',
    answers: [busy(2), calls],
    heard: ['refused for 2000', 'accepted'],
  },
  {
    name: 'too many at the last try',
    ...{ answers: [busy()], limits: { tries: 1 } },
    ...{ heard: ['refused for 0'], code: 'rate-limited' },
  },
  {
    name: 'too many at the last try, and when to come',
    ...{ answers: [busy(2)], limits: { tries: 1 } },
    ...{ heard: ['refused for 2000'], code: 'rate-limited' },
  },
  {
    name: 'too many, and nobody has the patience',
    ...{ answers: [busy(2)], isGivenUp: true },
    ...{ heard: ['refused for 2000'], code: 'rate-limited' },
  },
  {
    name: 'too much of something else',
    ...{ answers: [{ status: 429, body: { code: 21611 } }], limits: { tries: 1 } },
    ...{ heard: ['accepted'], code: 'rate-limited' },
  },
];

test.each(cases)(
  'the pace hears of $name',
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

test('the pace hears that nobody knows, where there is no way to the service', async () => {
  const run = telephony({ tries: 1 }).run('account-calls', {});
  expect((await errorOf(run)).code).toBe('unavailable');
  expect(heard).toEqual(['ended']);
});

test('the pace hears that a request was never sent', async () => {
  const before = () => Promise.reject(new RangeError('A mistake'));
  const text = { from: '+1', to: '+2', body: 'Hello' };
  await expect(telephony().run('send-sms', text, { before })).rejects.toThrow('A mistake');
  expect(heard).toEqual(['ended']);
});
