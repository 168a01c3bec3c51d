import { connect, type RequestReport } from '../../src/builder.ts';
import { errorOf } from './errors.ts';
import { account, answerWith, isolate } from './service.ts';

isolate();

const sms = { from: '+14155550100', to: '+12025550143', body: 'A secret text' };

/** An account with its reports of requests. */
function open() {
  const reports: RequestReport[] = [];
  const telephony = connect({ ...account, onRequest: (report) => void reports.push(report) });
  return { reports, telephony };
}

const duration = { durationMs: expect.any(Number) };

test('reports each attempt of a read', async () => {
  answerWith([
    { status: 503, body: '' },
    { status: 200, body: { calls: [] } },
  ]);
  const { reports, telephony } = open();
  await telephony.run('calls-by-caller-id', { from: '+12025550143' });
  const about = { operation: 'calls-by-caller-id', request: 'GET /Calls.json', ...duration };
  expect(reports).toEqual([
    { ...about, status: 503, attempt: 1 },
    { ...about, status: 200, attempt: 2 },
  ]);
});

test('reports an action without its values', async () => {
  answerWith([{ status: 400, body: { code: 21211, message: 'Invalid' } }]);
  const { reports, telephony } = open();
  await errorOf(telephony.run('send-sms', sms));
  expect(reports).toEqual([
    { operation: 'send-sms', request: 'POST /Messages.json', status: 400, attempt: 1, ...duration },
  ]);
  expect(JSON.stringify(reports)).not.toMatch(/secret|\+1|not-a-real-token/);
});

test('reports media', async () => {
  answerWith([{ status: 200, body: 'sound', headers: { 'content-type': 'audio/mpeg' } }]);
  const { reports, telephony } = open();
  const { stream } = await telephony.media('recording', 'RE1');
  for await (const _ of stream);
  expect(reports).toEqual([
    {
      operation: 'recording',
      request: 'GET /Recordings/{sid}.mp3',
      status: 200,
      attempt: 1,
      ...duration,
    },
  ]);
});

const fail = () => {
  throw new Error('No log');
};
const listeners: [what: string, onRequest: unknown][] = [
  ['throws', fail],
  ['returns a promise that is rejected', async () => fail()],
  ['returns what cannot be awaited', () => Object.defineProperty({}, 'then', { get: fail })],
  ['is null', null],
];

test.each(listeners)('a callback that %s changes nothing', async (_, onRequest) => {
  const unhandled: unknown[] = [];
  const record = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', record);
  answerWith([{ status: 200, body: { calls: [] } }]);
  const answer = await connect({ ...account, onRequest: onRequest as () => void }).run(
    'account-calls',
  );
  // Node reports unhandled rejections before the next task.
  await new Promise(setImmediate);
  process.off('unhandledRejection', record);
  expect([answer, unhandled]).toEqual([{ records: [], more: false }, []]);
});
