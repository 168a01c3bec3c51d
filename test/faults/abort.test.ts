import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { closeAfterwards } from '../close-afterwards.ts';
import { root } from '../root.ts';
import { operations, stages } from './abort-stages.ts';
import type { Wire } from './wire.ts';

/** What a write ends in that is under way; nothing else may be called unknown. */
const underWay = new Set(['before the answer', 'in the headers', 'in the body']);
const over = 'when the answer has come';
const cases = Object.keys(stages).flatMap((stage) => {
  const stopped = stage === over ? 'resolved' : 'aborted';
  const inFlight = underWay.has(stage) ? 'unknown-outcome' : stopped;
  const write: [string, 'read' | 'write', string] = [stage, 'write', inFlight];
  const read: [string, 'read' | 'write', string] = [stage, 'read', stopped];
  return stage === 'between two pages' ? [read] : [read, write];
});

let server: Wire | undefined;

describe.each(cases)('stopped %s, a %s', (stage, operation, expected) => {
  test(`is ${expected}, and its connection is closed`, async () => {
    const code = await stages[stage]?.(operations[operation], (wire) => {
      server = closeAfterwards(wire);
    });
    expect(code).toBe(expected);
    const idle = ['while it waits for its next try', 'between two pages', over].includes(stage);
    for (const socket of server?.open ?? []) if (!idle) await once(socket, 'close');
    expect(server?.open.size).toBe(idle ? 1 : 0);
  });

  test('leaves nothing behind that keeps a process alive', async () => {
    const child = resolve(__dirname, 'abort-child.ts');
    const options = { cwd: root, timeout: 60_000, env: { PATH: process.env.PATH } };
    const args = ['--import', 'tsx', child, stage, operation];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
    const { code, milliseconds } = JSON.parse(stdout);
    expect([code, stderr]).toEqual([expected, '']);
    expect(milliseconds).toBeLessThan(3_500);
  });
});
