import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { freePort } from '../../demo/ports.ts';
import { callAndAnswer } from '../support/call-in.ts';
import { readDocument, snippetsOf } from '../support/document.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { startProgram } from '../support/start-program.ts';
import { until } from '../support/until.ts';

const artefacts = resolve(root, 'test/artefacts');
const main = '+14155550100';
const caller = '+12025550143';

/** Starts a program of the page, and collects its output. */
function startExample(name: string, code: string, env: Record<string, string>) {
  mkdirSync(artefacts, { recursive: true });
  const file = join(artefacts, name);
  writeFileSync(file, code);
  const program = startProgram(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: artefacts,
    env: { PATH: process.env.PATH, ...env },
  });
  if (!program.stdout || !program.stderr) throw new Error('It has nothing to print to.');
  const [printed, errors] = [[] as string[], [] as string[]];
  createInterface(program.stdout).on('line', (line) => printed.push(line));
  createInterface(program.stderr).on('line', (line) => errors.push(line));
  return { program, printed, errors };
}

const freeAddress = async () => `http://127.0.0.1:${await freePort()}/events`;

/** Starts the program of the page that is the nth of its examples, and waits until it answers. */
async function startReceiver(index: number, address: string, { username, password }: Sandbox) {
  const { [index]: example = '' } = snippetsOf(readDocument('docs/api-events.md'), 'js');
  const started = startExample(`events-example-${index}.mjs`, example, {
    TELEPHONY_USERNAME: username,
    TELEPHONY_PASSWORD: password,
    EVENTS_URL: address,
    EVENTS_PORT: new URL(address).port,
  });
  const response = () => fetch(address).catch(() => undefined);
  await until(async () => (await response())?.status === 403);
  return started;
}

test('the documented program that receives events works', async () => {
  const address = await freeAddress();
  const numbers = { [main]: { smsUrl: address, statusCallback: address } };
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z'), numbers });
  const { printed, errors } = await startReceiver(0, address, sandbox);

  sandbox.events.faults.add({ name: 'repeat' });
  const received = sandbox.receiveMessage({ from: caller, to: main, body: 'Yes' });
  await sandbox.events.settled();
  const missed = sandbox.receiveCall({ from: caller, to: main, end: 'no-answer' });
  sandbox.pass(2);
  await sandbox.events.settled();
  await until(() => printed.length > 1 && errors.length > 0);

  expect(printed).toEqual([
    `sms-received ${received.sid} received`,
    `call-status ${missed.sid} no-answer`,
  ]);
  expect(errors).toEqual([
    'Refused a request that was not a POST. Choose HTTP POST where you enter the webhook URL at the service.',
  ]);
  const [reply, ...others] = sandbox.messages.filter(
    ({ direction }) => direction === 'outbound-reply',
  );
  expect(reply).toMatchObject({ to: caller, from: main, body: 'Thank you. We answer today.' });
  expect(others).toEqual([]);
});

test('the documented program that records messages of callers works', async () => {
  const address = await freeAddress();
  const numbers = { [main]: { voiceUrl: address } };
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z'), numbers });
  const { printed, errors } = await startReceiver(1, address, sandbox);
  sandbox.receiveCall({ from: caller, to: main, seconds: 7 });
  for (const seconds of [0, 2, 4, 7]) {
    sandbox.pass(seconds);
    await sandbox.events.settled();
  }
  const [recording] = sandbox.recordings;
  await until(() => printed.length > 0);
  expect([printed, errors]).toEqual([[`${recording?.sid} 7`], []]);
});

test('the documented program that asks callers works', async () => {
  const address = await freeAddress();
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const { errors } = await startReceiver(2, address, sandbox);
  expect(await callAndAnswer(sandbox, address, ['5', '1'], 2, 4)).toMatchObject({
    heard: ['For sales, press 1.', 'Please press 1.'],
    created: { calls: [[caller, '+12025550143', 'completed', '4'], {}] },
  });
  const { heard } = await callAndAnswer(sandbox, address, ['', '', '']);
  expect(heard.at(-1)).toBe('Goodbye.');
  expect(errors).toEqual([]);
});

test('the documented program that polls events works, and continues after a restart', async () => {
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  // On a busy machine, calls of the last seconds could count as later than the program's start.
  sandbox.calls.length = 0;
  const [, , , example = ''] = snippetsOf(readDocument('docs/api-events.md'), 'js');
  const cursor = join(artefacts, 'cursor.json');
  rmSync(cursor, { force: true });
  const start = () =>
    startExample('poll-example.mjs', example, {
      TELEPHONY_USERNAME: sandbox.username,
      TELEPHONY_PASSWORD: sandbox.password,
      TELEPHONY_BASE_URL: sandbox.url,
    });
  const first = start();
  // It has polled, not only stored its start: this test advances the service's clock.
  await until(() => existsSync(cursor) && readFileSync(cursor, 'utf8').includes('"from"'));
  first.program.kill();
  await once(first.program, 'exit');
  const received = sandbox.receiveMessage({ from: caller, to: main, body: 'Yes' });
  const missed = sandbox.receiveCall({ from: caller, to: main, end: 'no-answer' });
  sandbox.pass(2);
  const second = start();
  await until(() => second.printed.length > 1);
  expect(second.printed).toEqual([
    `sms-received ${received.sid} received`,
    `call-status ${missed.sid} no-answer`,
  ]);
  expect([first.printed, first.errors, second.errors]).toEqual([[], [], []]);
});
