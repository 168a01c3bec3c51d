import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readDocument, snippetsOf } from '../support/document.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = resolve(root, 'test/artefacts');

let sandbox: Sandbox;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  sandbox = await openSandbox();
});

/** Runs a program in the folder of the package, where its own name leads to what was built. */
async function runProgram(name: string, source: string): Promise<string> {
  const file = resolve(folder, name);
  writeFileSync(file, source);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: {
      PATH: process.env.PATH,
      TELEPHONY_USERNAME: sandbox.username,
      TELEPHONY_PASSWORD: sandbox.password,
      TELEPHONY_BASE_URL: sandbox.url,
    },
  });
  return stdout;
}

test('the example of the README works', async () => {
  const busy = sandbox.calls.filter(({ status }) => status === 'busy');
  const before = sandbox.messages.length;
  const [example = ''] = snippetsOf(readDocument('README.md'), 'js');
  const printed = await runProgram('readme-example.mjs', example);
  expect(busy.length).toBeGreaterThan(0);
  expect(printed.trim().split('\n')).toEqual([
    ...busy.map(({ from }) => expect.stringContaining(from)),
    `${sandbox.messages[0]?.sid} queued`,
  ]);
  expect(sandbox.messages).toHaveLength(before + 1);
  expect(sandbox.messages[0]).toMatchObject({ to: '+12025550143', body: 'We call back today.' });
});

test.each([
  [
    'ES module',
    'load.mjs',
    `import * as telephony from 'telephony-plugin'; console.log(Object.keys(telephony).sort().join());`,
  ],
  [
    'CommonJS module',
    'load.cjs',
    `console.log(Object.keys(require('telephony-plugin')).sort().join());`,
  ],
])('the library loads as an %s with all its exports', async (_, name, source) => {
  expect((await runProgram(name, source)).trim()).toBe(
    'Batches,TelephonyError,WaitingReply,abandon,aboutValues,addressBelow,answerEvent,batchCost,batchLabel,checkInput,cleanPhone,columnOf,connect,continueBatch,countryCodeHint,countsByWord,countsOf,countsSaid,definitions,deliveryLog,doneSentence,emptySenderField,entriesOfEarlier,entriesOfEarlierBatches,errorSentence,eventDefinition,eventMemory,eventReader,fieldTypes,filterOnlyFields,filters,freePageSize,interruptedItems,isAction,isDoneNote,isList,isNational,isPage,isPendingNote,isSealed,isWithoutProblems,keyColumn,mayHaveBeenDone,memoryStore,nameSettingsPlace,namedEvent,onceWithin,openSecrets,operation,operations,pageSizeField,pickSettings,planRow,pollEvents,problemSaid,problemWord,problemsOf,purgeHourly,rangeEnd,receiveEvents,recordFields,recordShape,recordedState,replyField,requestOf,requiredColumns,runItems,runRows,samePhone,sealSecrets,secretKeys,sendMedia,settingsWithStoredSecrets,smsCount,smsSegments,storeEntry,storeHash,storeIndex,storeRow,successWord,testSettings,usualPageSize,waitingReply,wereAskedFor,whenAborted,whySilent,withCountryCodes,withoutSame',
  );
});

const consumer = `
import { connect, type Page, TelephonyError } from 'telephony-plugin';
const telephony = connect({ username: 'AC1', password: 'x' });
export async function use(): Promise<number | null> {
  const { records, more } = await telephony.run('calls-by-caller-id', { status: 'busy' });
  const ended: Date | null | undefined = records[0]?.endTime;
  const message = await telephony.run('send-sms', { from: '+1', to: '+1', body: 'x' });
  for await (const page of telephony.pages('account-calls', {}, { limit: 10 })) {
    const calls: Page<{ sid: string }> = page;
    if (calls.more !== more) return message.numSegments;
  }
  // @ts-expect-error an operation that does not exist
  await telephony.run('hang-up', {});
  // @ts-expect-error a status that does not exist
  await telephony.run('calls-by-caller-id', { status: 'lost' });
  // @ts-expect-error a message without a text
  await telephony.run('send-sms', { from: '+1', to: '+1' });
  // @ts-expect-error one record is no list
  telephony.pages('view-a-call', { callSid: 'CA1' });
  const error = new TelephonyError('input', 'x');
  // @ts-expect-error a code that does not exist
  if (error.code === 'oops') return ended?.getTime() ?? null;
  return null;
}
`;

test.each(['consumer.mts', 'consumer.cts'])('%s gets all its types from the library', (name) => {
  const place = temporaryFolder('consumer');
  const installed = join(place, 'node_modules/telephony-plugin');
  for (const part of ['package.json', 'dist/esm', 'dist/cjs'])
    cpSync(resolve(root, part), join(installed, part), { recursive: true });
  writeFileSync(join(place, name), consumer);
  const tsc = resolve(root, 'node_modules/.bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
  const { stdout } = spawnSync(tsc, [...options, '--types', '', name], {
    cwd: place,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
