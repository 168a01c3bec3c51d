import { text } from 'node:stream/consumers';
import { errorOf } from './errors.ts';
import { answerWith, isolate, telephony } from './service.ts';

isolate();

const audio = { status: 200, body: 'sound', headers: { 'Content-Type': 'audio/mpeg' } };
const open = (limits: object = {}) => telephony(limits).media('recording', 'RE1');

test.each([429, 500, 503])('retries audio after status %d', async (status) => {
  const sent = answerWith([{ status, body: '' }, audio]);
  expect(await text((await open({ maxAttempts: 2 })).stream)).toBe('sound');
  expect(sent).toHaveLength(2);
});

test.each([400, 401, 404])('does not retry audio after status %d', async (status) => {
  const sent = answerWith([{ status, body: '' }, audio]);
  await errorOf(open({ maxAttempts: 2 }));
  expect(sent).toHaveLength(1);
});

test('an error has the time of the next attempt and the request id', async () => {
  const headers = { 'Retry-After': '7', 'Twilio-Request-Id': 'RQ1' };
  answerWith([{ status: 429, body: '', headers }]);
  expect(await errorOf(open({ maxAttempts: 1 }))).toMatchObject({
    ...{ code: 'rate-limited', status: 429, retryAfter: 7, requestId: 'RQ1' },
  });
});
