import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { readDocument, snippetsOf } from '../document.ts';
import { freePort } from '../free-port.ts';
import { openSandbox } from '../open-sandbox.ts';
import { root } from '../root.ts';
import { startProgram } from '../start-program.ts';

const artefacts = resolve(root, 'test/artefacts');
const main = '+14155550100';
const caller = '+12025550143';

/** Resolves when something listens. */
async function isReady(url: string) {
  for (;;)
    try {
      return await fetch(url);
    } catch {
      await new Promise(setImmediate);
    }
}

/** A program of the page, with what it prints. */
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
  const [printed, complained] = [[] as string[], [] as string[]];
  const lines = createInterface(program.stdout).on('line', (line) => printed.push(line));
  const complaints = createInterface(program.stderr).on('line', (line) => complained.push(line));
  return { program, printed, complained, lines, complaints };
}

test('the program that receives events runs as it stands', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/events`;
  const numbers = { [main]: { smsUrl: address, statusCallback: address } };
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z'), numbers });
  const [example = ''] = snippetsOf(readDocument('docs/events.md'), 'js');
  const { printed, complained, lines, complaints } = startExample('events-example.mjs', example, {
    TELEPHONY_USERNAME: sandbox.username,
    TELEPHONY_PASSWORD: sandbox.password,
    EVENTS_ADDRESS: address,
    EVENTS_PORT: String(port),
  });
  expect((await isReady(address)).status).toBe(403);

  sandbox.events.faults.add({ name: 'repeat' });
  sandbox.receiveMessage({ from: caller, to: main, body: 'Yes' });
  await sandbox.events.settled();
  sandbox.receiveCall({ from: caller, to: main, end: 'no-answer' });
  sandbox.pass(2);
  await sandbox.events.settled();
  while (printed.length < 2) await once(lines, 'line');
  while (complained.length < 1) await once(complaints, 'line');

  expect(printed).toEqual([`sms-received ${caller} received`, `call-status ${caller} no-answer`]);
  expect(complained).toEqual([
    'A request was no POST. Choose HTTP POST where the address is entered at the service.',
  ]);
  const [reply, ...others] = sandbox.messages.filter(
    ({ direction }) => direction === 'outbound-reply',
  );
  expect(reply).toMatchObject({ to: caller, from: main, body: 'Thank you for “Yes”.' });
  expect(others).toEqual([]);
});

test('the program that asks for events runs as it stands, and reads on when it is started again', async () => {
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const [, example = ''] = snippetsOf(readDocument('docs/events.md'), 'js');
  const soFar = join(artefacts, 'events-so-far.json');
  rmSync(soFar, { force: true });
  const start = () =>
    startExample('poll-example.mjs', example, {
      TELEPHONY_USERNAME: sandbox.username,
      TELEPHONY_PASSWORD: sandbox.password,
      TELEPHONY_BASE_URL: sandbox.url,
    });
  const first = start();
  while (!existsSync(soFar) || readFileSync(soFar, 'utf8') === '') await new Promise(setImmediate);
  first.program.kill();
  await once(first.program, 'exit');
  sandbox.receiveMessage({ from: caller, to: main, body: 'Yes' });
  sandbox.receiveCall({ from: caller, to: main, end: 'no-answer' });
  sandbox.pass(2);
  const second = start();
  while (second.printed.length < 2) await once(second.lines, 'line');
  expect(second.printed).toEqual([
    `sms-received ${caller} received`,
    `call-status ${caller} no-answer`,
  ]);
  expect([first.printed, first.complained, second.complained]).toEqual([[], [], []]);
});
