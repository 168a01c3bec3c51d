import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleProgram } from '../support/bundle-program.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { operations, stages } from './abort-stages.ts';
import type { RawServer } from './raw-server.ts';

/** Stages at which a write may have arrived: only then is its outcome unknown. */
const inFlightStages = new Set(['before the answer', 'in the headers', 'in the body']);
const over = 'after the answer';
const cases = Object.keys(stages).flatMap((stage) => {
  const stopped = stage === over ? 'resolved' : 'aborted';
  const inFlight = inFlightStages.has(stage) ? 'unknown-outcome' : stopped;
  const write: [string, 'read' | 'write', string] = [stage, 'write', inFlight];
  const read: [string, 'read' | 'write', string] = [stage, 'read', stopped];
  return stage === 'between two pages' ? [read] : [read, write];
});

let server: RawServer | undefined;
/** How each operation of a process ended that goes on when nothing keeps it alive. */
let ends: { stage: string; operation: string; code: string; milliseconds: number }[];
let printed: string;
beforeAll(async () => {
  const args = [bundleProgram('test/faults/abort-child.ts'), JSON.stringify(cases)];
  const options = { timeout: 100_000, env: { PATH: process.env.PATH } };
  // If it does not go on, what it printed before says where.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    (error) => error,
  );
  ends = stdout.split('\n', cases.length).map((line: string) => JSON.parse(line || '{}'));
  printed = stderr;
});

describe.each(cases)('aborted %s, a %s', (stage, operation, expected) => {
  test(`ends as ${expected} and closes a connection in use`, async () => {
    const code = await stages[stage]?.(operations[operation], (opened) => {
      server = closeAfterwards(opened);
    });
    expect(code).toBe(expected);
    const idle = ['while it waits for a retry', 'between two pages', over].includes(stage);
    // Not `once`, which fails if the client resets the connection.
    for (const socket of server?.open ?? [])
      if (!idle) await new Promise((done) => socket.once('close', done));
    expect(server?.open.size).toBe(idle ? 1 : 0);
  });

  test('leaves nothing open that keeps a process alive', () => {
    const end = ends.find((one) => one.stage === stage && one.operation === operation);
    expect([end?.code, printed]).toEqual([expected, '']);
    expect(end?.milliseconds).toBeLessThan(3_500);
  });
});
