import { type FilledReply, nodeHandler, receiveEvents } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { until } from '../support/until.ts';
import { given, sandboxFor } from './client.ts';

const MAIN = '+14155550100';
const CALLER = '+12025550143';

/** An app that asks a caller until they press 2, and the answers that it received. */
async function openMenu(open: typeof openSandbox = sandboxFor, input: object = {}) {
  const answers: unknown[] = [];
  const refused: string[] = [];
  const { url } = await serveHttp((request, response) => nodeHandler(receive)(request, response));
  const address = `${url}/events`;
  const sandbox = await open({ numbers: { [MAIN]: { voiceUrl: address } } });
  const { username, password } = sandbox;
  const ask = (say: string): FilledReply => ({
    form: 'reply-ask',
    input: { say, timeout: 7, ...input },
  });
  const receive = receiveEvents(
    { username, password },
    {
      url: address,
      onEvent: (event) => {
        if (event.id !== 'caller-answered') return ask('Press 2.');
        const { question, digits, speech } = event.record;
        answers.push([question, digits, speech]);
        return digits === '2' ? 'Goodbye.' : ask('Again: press 2.');
      },
      onOutcome: (one) => {
        if (one.outcome === 'refused') refused.push(one.reason);
      },
    },
  );
  const call = sandbox.receiveCall({ from: CALLER, to: MAIN });
  return { sandbox, call, answers, refused };
}

async function passes(sandbox: Sandbox, ...seconds: number[]) {
  for (const one of seconds) {
    sandbox.pass(one);
    await sandbox.events.settled();
  }
}

test('a caller presses keys until the app is content', async () => {
  const { sandbox, call, answers } = await openMenu(sandboxFor, { numDigits: 1 });
  await passes(sandbox, 0, 2);
  expect(call.status).toBe('in-progress');
  for (const digits of ['1', '1', '*', '2']) {
    sandbox.answer(call, { digits });
    await passes(sandbox, 0);
  }
  expect(answers).toEqual([
    [1, '1', null],
    [2, '1', null],
    [3, '*', null],
    [4, '2', null],
  ]);
  await passes(sandbox, 1);
  expect(call.status).toBe('completed');
});

test('several keys end with # or a pause', async () => {
  const { sandbox, call, answers } = await openMenu();
  await passes(sandbox, 0, 2);
  sandbox.answer(call, { digits: '4' });
  sandbox.answer(call, { digits: '*0#9' });
  await passes(sandbox, 0);
  sandbox.answer(call, { digits: '#7' });
  await passes(sandbox, 6.9);
  expect(answers).toEqual([[1, '4*0', null]]);
  await passes(sandbox, 0.2);
  expect(answers).toEqual([
    [1, '4*0', null],
    [2, '#7', null],
  ]);
});

test('a silent caller is asked again, and can still answer', async () => {
  const { sandbox, call, answers } = await openMenu(sandboxFor, { numDigits: 1 });
  // It speaks for a second.
  await passes(sandbox, 0, 2, 7.9);
  expect(answers).toEqual([]);
  await passes(sandbox, 0.1);
  expect(answers).toEqual([[1, null, null]]);
  sandbox.answer(call, { digits: '2' });
  await passes(sandbox, 0, 1);
  expect([answers.at(-1), call.status]).toEqual([[2, '2', null], 'completed']);
});

test('a caller speaks, also markup', async () => {
  const { sandbox, call, answers } = await openMenu(sandboxFor, { input: 'speech' });
  await passes(sandbox, 0, 2);
  expect(() => sandbox.answer(call, { digits: '1' })).toThrow('The caller is not asked for dtmf.');
  const speech = '<Say>&amp; sales</Say>';
  sandbox.answer(call, { speech });
  await passes(sandbox, 0);
  expect(answers).toEqual([[1, null, speech]]);
  expect(sandbox.events.log.at(-1)?.parameters).toMatchObject({
    ...{ CallStatus: 'in-progress', Direction: 'inbound', SpeechResult: speech, Confidence: '0.9' },
  });
});

test('a repeated answer starts the app once, and a forged one never', async () => {
  const { sandbox, call, answers, refused } = await openMenu(sandboxFor, { numDigits: 1 });
  await passes(sandbox, 0, 2);
  for (const name of ['repeat', 'forge'] as const) {
    sandbox.events.faults.add({ name });
    sandbox.answer(call, { digits: '1' });
    await passes(sandbox, 0);
  }
  expect(answers).toEqual([
    [1, '1', null],
    [2, '1', null],
  ]);
  expect(refused).toEqual(['signature']);
});

test.each([
  ['no one answers', 'no-answer', ['call-received', 'call-not-answered']],
  ['the number is busy', 'busy', ['call-received', 'call-not-answered']],
  ['someone answers', 'completed', ['call-received']],
] as const)(
  'after forwarding, the app takes a message only if not answered: %s',
  async (_, forwarded, ids) => {
    const received: unknown[] = [];
    const { url } = await serveHttp((request, response) => nodeHandler(receive)(request, response));
    const sandbox = await sandboxFor({ numbers: { [MAIN]: { voiceUrl: url } } });
    const { username, password } = sandbox;
    const receive = receiveEvents(
      { username, password },
      {
        url,
        onEvent: ({ id }): FilledReply | undefined => {
          received.push(id);
          if (id === 'call-received')
            return { form: 'reply-forward', input: { to: '+12025550199', timeout: 10 } };
          return { form: 'reply-record', input: { say: 'Speak.' } };
        },
      },
    );
    const call = sandbox.receiveCall({ from: CALLER, to: MAIN, forwarded, seconds: 4 });
    await passes(sandbox, 0, 2, 2, 8, 1, 4, 1);
    const isTaken = forwarded !== 'completed';
    expect(received.filter((id) => id !== 'recording-ready')).toEqual(ids);
    expect(sandbox.recordings.filter((one) => one.call_sid === call.sid)).toHaveLength(+isTaken);
    expect([call.status, sandbox.calls[0]?.status]).toEqual(['completed', forwarded]);
  },
);

test('a call that has ended asks for nothing', async () => {
  const { sandbox, call } = await openMenu(sandboxFor, { numDigits: 1 });
  await passes(sandbox, 0, 2);
  sandbox.answer(call, { digits: '2' });
  await passes(sandbox, 0, 5);
  expect(() => sandbox.answer(call, { digits: '2' })).toThrow('The caller is not asked for dtmf.');
});

test('without an empty answer, a silent call goes on with the next instruction', async () => {
  const body =
    '<Response><Gather timeout="3" action="/x"><Say>Hi</Say></Gather><Say>Bye</Say></Response>';
  const app = await serveHttp((_, response) => void response.end(body));
  const sandbox = await sandboxFor({ numbers: { [MAIN]: { voiceUrl: app.url } } });
  const call = sandbox.receiveCall({ from: CALLER, to: MAIN });
  await passes(sandbox, 0, 2, 3.9);
  expect(call.status).toBe('in-progress');
  await passes(sandbox, 0.1, 1);
  expect(call.status).toBe('completed');
  expect(sandbox.events.log).toHaveLength(1);
});

test('the control API shows what a caller hears, and presses keys', async () => {
  const { sandbox, call, answers } = await openMenu(openSandbox, { numDigits: 1 });
  const at = async (path: string, value?: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.origin}/sandbox/calls/${path}`, {
      ...(value && { method: 'POST', headers, body: JSON.stringify(value) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  await sandbox.events.settled();
  expect(await at(call.sid)).toEqual({
    status: 200,
    body: { status: 'ringing', heard: [], asked: [] },
  });
  sandbox.pass(2);
  const asked = { status: 'in-progress', heard: ['Press 2.'], asked: ['dtmf'] };
  expect(await at(call.sid)).toEqual({ status: 200, body: asked });
  for (const wrong of [{}, { digits: '' }, { digits: '1a' }, { digits: '1', speech: 'x' }])
    expect(await at(`${call.sid}/answers`, wrong)).toMatchObject({ status: 400 });
  expect(await at(`${call.sid}/answers`, { speech: 'two' })).toMatchObject({ status: 409 });
  expect(await at('CA0/answers', { digits: '1' })).toMatchObject({ status: 404 });
  expect(await at('CA0')).toMatchObject({ status: 404 });
  expect(await at(`${call.sid}/answers`, { digits: '2' })).toMatchObject({ status: 201 });
  await until(() => answers.length > 0);
  await sandbox.events.settled();
  expect(given((await at(call.sid)).body)).toMatchObject({ heard: ['Press 2.', 'Goodbye.'] });
});
