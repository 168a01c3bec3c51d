import { actionOf, batchActions, inEnglish, questionOf } from '../../src/builder.ts';
import { errorOf } from './errors.ts';
import { accountPath, answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();

const messageSid = 'SM00000000000000000000000000000001';
const path = `${accountPath}/Messages/${messageSid}.json`;
const id: string = 'delete-a-message';
const remove = (input: object = { messageSid }) => telephony().run(id, input);

const done: ServiceAnswer = { status: 204, body: '' };
const gone: ServiceAnswer = { status: 404, body: { code: 20404, message: 'Not found' } };
const broken: ServiceAnswer = { status: 502, body: '<html>Bad Gateway</html>' };
const limited: ServiceAnswer = { status: 429, body: { code: 20429 } };
const notYet: ServiceAnswer = { status: 409, body: { code: 20009, message: 'Not complete' } };
const refused: ServiceAnswer = { status: 401, body: { code: 20003 } };
const portal: ServiceAnswer = { status: 200, body: '<html>Log in to the Wi-Fi</html>' };

test.each<[string, ServiceAnswer[]]>([
  ['a response without a body', [done]],
  ['a record as the response', [{ status: 200, body: { sid: messageSid } }]],
  ['a refusal of too many requests, then success', [limited, done]],
  ['a lost response, then success', [broken, done]],
  ['a lost response, then no such record', [broken, gone]],
  ['several lost responses, then no such record', [broken, broken, gone]],
  ['a page of something else, then no such record', [portal, gone]],
])('a record is deleted by %s', async (_, answers) => {
  const sent = answerWith(answers);
  const { sid, ...others }: Record<string, unknown> = { ...(await remove()) };
  expect([sid, new Set(Object.values(others))]).toEqual([messageSid, new Set([null])]);
  expect(sent.map((one) => [one.method, one.path, one.body])).toEqual(
    answers.map(() => ['DELETE', path, '']),
  );
});

test.each<[string, ServiceAnswer[], string]>([
  ['no such record', [gone], 'not-found'],
  ['no such record after too many requests', [limited, gone], 'not-found'],
  ['a record that is not complete', [notYet], 'rejected'],
  ['wrong credentials', [refused], 'unauthorised'],
  ['lost responses only', Array(5).fill(broken), 'unknown-outcome'],
  ['a lost response, then wrong credentials', [broken, refused], 'unknown-outcome'],
])('a deletion fails by %s', async (_, answers, code) => {
  const sent = answerWith(answers);
  const error = await errorOf(remove());
  expect([error.code, sent.length]).toEqual([code, answers.length]);
});

test('an unknown outcome says what to check, and not that nothing was repeated', async () => {
  answerWith(Array(5).fill(broken));
  expect((await errorOf(remove())).message).toBe(
    `The service failed while processing the request. The outcome of "Delete a Message" is unknown. ${actionOf('delete-a-message').ifUnknown}`,
  );
});

test.each([
  [{}],
  [{ messageSid: '' }],
  [{ messageSid: ' ' }],
  [{ messageSid: null }],
  [{ messageSid: false }],
  [{ messageSid: '*' }],
  [{ messageSid: '..' }],
  [{ messageSid: '../Recordings/RE1' }],
  [{ messageSid: 'SM1.json?' }],
  [{ messageSid: ['SM1', 'SM2'] }],
  [{ messageSid: 'SM1', to: '+14155550100' }],
])('deletes nothing for the input %j', async (input) => {
  const sent = answerWith([]);
  const error = await errorOf(remove(input));
  expect([error.code, sent]).toEqual(['input', []]);
});

test('a text is deleted by an empty one', async () => {
  const sent = answerWith([{ status: 200, body: { sid: messageSid, body: '' } }]);
  await telephony().run('redact-a-message', { messageSid });
  expect(sent.map(({ method, body }) => [method, body])).toEqual([['POST', 'Body=']]);
});

test('a question names what is deleted', () => {
  const question = questionOf(actionOf('delete-a-message'), { messageSid });
  expect(question && inEnglish(question)).toBe(
    `Delete message ${messageSid}? This can't be undone.`,
  );
  expect(questionOf(actionOf('send-sms'), { to: '+14155550100' })).toBeUndefined();
});

test('what cannot be undone is not offered for several rows', () => {
  expect(batchActions.map(({ id }) => id)).toEqual([
    ...['create-a-call-recording', 'stop-a-call-recording', 'end-a-call', 'make-a-call'],
    ...['send-a-message', 'send-sms', 'send-a-template', 'send-a-one-time-code'],
    ...['check-a-one-time-code', 'cancel-a-scheduled-message'],
  ]);
});
