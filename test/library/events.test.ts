import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
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

test('the program that receives events runs as it stands', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/events`;
  const numbers = { [main]: { smsUrl: address, statusCallback: address } };
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z'), numbers });
  const [example = ''] = snippetsOf(readDocument('docs/events.md'), 'js');
  mkdirSync(artefacts, { recursive: true });
  const file = join(artefacts, 'events-example.mjs');
  writeFileSync(file, example);
  const program = startProgram(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      TELEPHONY_USERNAME: sandbox.username,
      TELEPHONY_PASSWORD: sandbox.password,
      EVENTS_ADDRESS: address,
      EVENTS_PORT: String(port),
    },
  });
  if (!program.stdout || !program.stderr) throw new Error('It has nothing to print to.');
  const [printed, complained] = [[] as string[], [] as string[]];
  const lines = createInterface(program.stdout).on('line', (line) => printed.push(line));
  const complaints = createInterface(program.stderr).on('line', (line) => complained.push(line));
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
