import { connect } from '../../src/builder.ts';
import { errorOf } from './errors.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

const to = { serviceSid: 'VA1', to: '+12025550143' };
const check = (telephony = connect(account)) =>
  telephony.run('check-a-one-time-code', { ...to, code: '123456' });

test.each(['pending', 'approved', 'max_attempts_reached'])(
  'a check that says %s is a record, not an error',
  async (status) => {
    const sent = answerWith([{ status: 201, body: { sid: 'VE1', status, to: to.to } }]);
    expect(await check()).toMatchObject({ sid: 'VE1', status });
    expect(sent).toHaveLength(1);
  },
);

test.each([500, 503])('a check that may have happened is not sent again: %d', async (status) => {
  const sent = answerWith([{ status, body: {} }]);
  expect(await errorOf(check())).toMatchObject({
    code: 'unknown-outcome',
    message: expect.stringContaining("one that was approved can't be checked again"),
  });
  expect(sent).toHaveLength(1);
});

test('a code that can no longer be checked is an error that says what to do', async () => {
  answerWith([{ status: 404, body: { code: 20404, message: 'Not found' } }]);
  expect(await errorOf(check())).toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(/^No code of this number can be checked: .* Send a new one\./),
  });
});

test('a page that is not found is not taken for a code', async () => {
  answerWith([{ status: 404, body: '<html>' }]);
  expect((await errorOf(check())).message).toMatch(/or does not offer "Check a One-time Code"/);
});

test('too many checks of one code stop no other request', async () => {
  const sent = answerWith([
    { status: 429, body: { code: 60202, message: 'Max check attempts reached' } },
    { status: 201, body: { sid: 'VE1', status: 'approved' } },
  ]);
  const telephony = connect({ ...account, limits: { maxAttempts: 1 } });
  expect(await errorOf(check(telephony))).toMatchObject({
    message: expect.stringMatching(/^The wrong code was entered five times\./),
    field: 'code',
  });
  expect(await check(telephony)).toMatchObject({ status: 'approved' });
  expect(sent).toHaveLength(2);
});

test.each(['../Services/VA2', 'VA1/Verifications', '..', '', 'VA 1'])(
  'nothing is sent to the service “%s”',
  async (serviceSid) => {
    const run = connect(account).run('send-a-one-time-code', { ...to, serviceSid });
    expect(await errorOf(run)).toMatchObject({ code: 'input', field: 'serviceSid' });
  },
);

test('a code counts as a message towards the limits', async () => {
  const answer = { status: 201, body: { sid: 'VE1', status: 'pending' } };
  const sent = answerWith([answer, answer]);
  const { run } = connect({ ...account, username: 'AC777', spending: { perRecipientPerHour: 1 } });
  await run('send-a-one-time-code', to);
  expect(await errorOf(run('send-a-one-time-code', to))).toMatchObject({ code: 'limit-reached' });
  expect(sent).toHaveLength(1);
});
