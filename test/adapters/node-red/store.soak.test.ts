import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { batchesOf } from '../../../plugin/node-red/batch/batch-store.ts';
import { storeOf } from '../../../plugin/node-red/event/account-store.ts';
import { deliveryLogOf } from '../../../plugin/node-red/event/delivery-log.ts';
import type { NodeRed } from '../../../plugin/node-red/node-red.ts';
import { fileStore } from '../../../plugin/node-red/store.ts';
import { deliveryLog } from '../../../src/builder.ts';
import { keepsDeliveries } from '../../events/keeps-deliveries.ts';
import { keepsLogs } from '../../stores/keeps-entries.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

/** Opens a store like Node-RED does when it starts. */
function start(file: string) {
  const warnings: unknown[] = [];
  const warn = (fault: unknown) => warnings.push(fault);
  return { store: fileStore(file, { warn, damaged: warn, most: 200_000 }), warnings };
}

let file: string;
beforeEach(() => {
  file = join(temporaryFolder('store'), 'store.jsonl');
});

describe('a store in a file', () => {
  keepsLogs(() => start(join(temporaryFolder('store'), 'store.jsonl')).store, {
    isShared: false,
  });
});

describe('a delivery log in a file', () => {
  keepsDeliveries(() => deliveryLog(start(file).store));
});

const values = async ({ store }: ReturnType<typeof start>, ...keys: string[]) => {
  const found = [];
  for (const key of keys) found.push((await store.get('kind', key))?.value);
  return found;
};

const insert = ({ store }: ReturnType<typeof start>, key: string) =>
  store.insert('kind', { key, value: key });

const broken: [what: string, text: string][] = [
  ['a truncated last line', '{"kind":"kind","key":"c","val'],
  ['a number', '5\n'],
  ['null', 'null\n'],
  ['an object of another shape', '{}\n'],
  ['zero bytes, as a file system may leave them', '\0\0\0\0\n'],
];
test.each(broken)('a file with %s keeps its other entries and new ones', async (_, text) => {
  const first = start(file);
  await insert(first, 'a');
  appendFileSync(file, `\n${text}`);
  const second = start(file);
  await insert(second, 'b');
  expect([first.warnings, second.warnings]).toEqual([[], []]);
  expect(await values(start(file), 'a', 'b', 'c')).toEqual(['a', 'b', undefined]);
});

test('entries that cannot be written cause a warning and are written later', async () => {
  const first = start(file);
  await insert(first, 'a');
  const kept = readFileSync(file);
  const blocked = start(join(file, '..', 'blocked'));
  mkdirSync(join(file, '..', 'blocked'));
  for (const key of ['a', 'b']) await insert(blocked, key);
  expect(blocked.warnings).not.toEqual([]);
  expect(await values(blocked, 'a', 'b')).toEqual(['a', 'b']);
  rmdirSync(join(file, '..', 'blocked'));
  await insert(blocked, 'c');
  expect(await values(start(join(file, '..', 'blocked')), 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  expect(readFileSync(file)).toEqual(kept);
});

test('while entries cannot be written, each attempt writes as much as the first, and later all are written', async () => {
  const blocked = join(file, '..', 'blocked');
  mkdirSync(blocked);
  const append = jest.spyOn(fs, 'appendFile');
  try {
    const one = start(blocked);
    const keys = Array.from({ length: 100 }, (_, index) => `key ${index + 100}`);
    for (const key of keys) await insert(one, key);
    const lengths = append.mock.calls.map(([, text]) => String(text).length);
    expect(lengths).toEqual(keys.map(() => lengths[0]));
    rmdirSync(blocked);
    await insert(one, 'last');
    expect(append).toHaveBeenCalledTimes(102);
    const again = start(blocked);
    expect(await values(again, ...keys, 'last')).toEqual([...keys, 'last']);
    expect(again.warnings).toEqual([]);
  } finally {
    append.mockRestore();
  }
});

test('deleted entries stay deleted after a restart, and leave the file without rewriting it for each', async () => {
  const first = start(file);
  const large = 'x'.repeat(100_000);
  await first.store.insert('kind', { key: 'kept', index: 'kept', value: large });
  for (let index = 0; index < 100; index += 1)
    await first.store.insert('kind', { key: `a ${index}`, index: `${index}`, value: index });
  const { ino } = statSync(file);
  for (let index = 0; index < 100; index += 1) await first.store.clear('kind', `${index}`);
  expect(statSync(file).ino).toBe(ino);
  expect(await values(start(file), 'kept', 'a 0', 'a 99')).toEqual([large, undefined, undefined]);
  await first.store.written();
  expect(readFileSync(file, 'utf8')).not.toContain('"a 0"');
  expect(await values(start(file), 'kept', 'a 0')).toEqual([large, undefined]);
  expect(first.warnings).toEqual([]);
});

test('if deleted entries cannot leave the file, a warning says so, and they leave it a minute later', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
  try {
    const { store, warnings } = start(file);
    await store.insert('kind', { key: 'a', index: 'a', value: 'a text' });
    mkdirSync(`${file}.new`);
    await store.clear('kind', 'a');
    await store.written();
    expect(warnings).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(
          /EISDIR.* deleted texts stay in the file\. .* in a minute\./,
        ),
      }),
    ]);
    rmdirSync(`${file}.new`);
    jest.advanceTimersByTime(60_000);
    jest.useRealTimers();
    await until(() => !readFileSync(file, 'utf8').includes('a text'));
    expect(warnings).toHaveLength(1);
  } finally {
    jest.useRealTimers();
  }
});

test('a file is compacted to its current entries, each of which is its newest line', async () => {
  const first = start(file);
  await insert(first, 'a');
  for (let value = 0; value < 400; value += 1) {
    const entry = await first.store.get('kind', 'a');
    if (entry) await first.store.swap('kind', entry, `${value} ${'x'.repeat(10_000)}`);
  }
  expect(readFileSync(file, 'utf8').length).toBeLessThan(1_100_000);
  expect(await values(start(file), 'a')).toEqual([expect.stringMatching(/^399 x+$/)]);
});

test('entries that are written while the file is shortened are in it afterwards', async () => {
  const first = start(file);
  const value = 'x'.repeat(1_100_000);
  await first.store.insert('kind', { key: 'large', value });
  const keys: string[] = [];
  const inserts: Promise<unknown>[] = [];
  for (const round of [1, 2, 3, 4]) {
    const entry = await first.store.get('kind', 'large');
    let isSwapped = false;
    const swapped = entry && first.store.swap('kind', entry, round + value);
    swapped?.then(() => {
      isSwapped = true;
    });
    for (; !isSwapped; await setImmediate()) {
      keys.push(`key ${keys.length}`);
      inserts.push(insert(first, keys.at(-1) ?? ''));
    }
  }
  await Promise.all(inserts);
  expect(await values(start(file), ...keys)).toEqual(keys);
});

test('a store that rejects says so as long as an entry cannot be written, and then writes it', async () => {
  const blocked = join(file, '..', 'blocked');
  const warnings: unknown[] = [];
  const warn = (fault: unknown) => warnings.push(fault);
  const open = () => fileStore(blocked, { warn, damaged: warn, rejects: true });
  const store = open();
  await store.insert('kind', { key: 'a', value: 1 });
  rmSync(blocked);
  mkdirSync(blocked);
  await expect(store.insert('kind', { key: 'b', value: 2 })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`could not use its file ${blocked} (EISDIR`),
  });
  const entry = await store.get('kind', 'a');
  if (entry) await expect(store.swap('kind', entry, 3)).rejects.toThrow('EISDIR');
  await expect(open().get('kind', 'a')).rejects.toThrow('EISDIR');
  expect(warnings).not.toEqual([]);
  rmdirSync(blocked);
  expect(await store.insert('kind', { key: 'c', value: 4 })).toBe(true);
  const read = await Promise.all(['b', 'a', 'c'].map((key) => open().get('kind', key)));
  expect(read.map((one) => one?.value)).toEqual([2, 3, 4]);
});

test('a kill during any call leaves each entry either written or unchanged', async () => {
  const program = bundleProgram('test/stores/writing-child.ts');
  for (let round = 0; round < 5; round += 1) {
    const child = spawn(process.execPath, [program, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let confirmed = 0;
    for await (const chunk of child.stdout) {
      confirmed = Number(String(chunk).trim().split('\n').at(-1));
      if (confirmed % 1_000 > 20 + round * 7) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const [counter, pair] = await values(start(file), 'counter', 'pair');
    expect(Number(counter)).toBeGreaterThanOrEqual(confirmed);
    expect(pair).toEqual({ one: Object(pair).one, other: Object(pair).one });
  }
});

test('if someone disables and enables the module, the stores of an account stay the same', () => {
  const RED = { settings: { userDir: temporaryFolder('enabled') }, log: { warn() {} } };
  const opened = () => {
    const other = { ...RED } as unknown as NodeRed;
    return [storeOf('a/b', other), deliveryLogOf('a/b', other), batchesOf('a/b', other)];
  };
  const [store, log, batches] = opened();
  const again = opened();
  expect(again[0]).toBe(store);
  expect(again[1]).toBe(log);
  expect(again[2]).toBe(batches);
});
