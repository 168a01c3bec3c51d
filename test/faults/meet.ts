import { Axios } from 'axios';
import type { Fault as SandboxFault } from '../../demo/sandbox/index.ts';
import type { Limits, TelephonyError } from '../../src/builder.ts';
import { errorOf, parts } from '../requests/errors.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { account, callSid, hurry, sms, telephonyAt } from './service.ts';
import type { Received } from './wire.ts';

/** What stands where the service should. */
export interface Stage {
  url: string;
  /** The requests that arrived whole. */
  arrived(): Pick<Received, 'method' | 'path'>[];
  /** How many records the write left there, where that can be looked up. */
  stored?(): number;
  /** A call that is there. */
  call?: string;
}

/** What came of one operation. */
export interface Outcome {
  /** How often it was tried. */
  tries: number;
  /** How often it arrived, as far as the other side can tell. */
  arrived: number;
  stored?: number;
  /** The status of the record; in its place the parts of the error. */
  result?: unknown;
  error?: object;
}

export interface Fault {
  name: string;
  start(): Promise<Stage>;
  limits?: Partial<Limits>;
  read: Outcome;
  write: Outcome;
}

/** A sandbox with faults in its queue. */
export const sandboxWith = (...faults: SandboxFault[]) =>
  async function start(): Promise<Stage> {
    const running = await openSandbox(account);
    for (const fault of faults) running.faults.add(fault);
    const before = running.messages.length;
    return {
      url: running.url,
      arrived: () => running.requests,
      stored: () => running.messages.length - before,
      call: running.calls.find(({ status }) => status === 'completed')?.sid ?? '',
    };
  };

const operations = {
  read: (stage: Stage, limits: Partial<Limits>) =>
    telephonyAt(stage.url, limits).run('view-a-call', { callSid: stage.call ?? callSid }),
  write: (stage: Stage, limits: Partial<Limits>) =>
    telephonyAt(stage.url, limits).run('send-sms', sms),
};

const patient: Partial<Limits> = {
  idleTimeoutMs: 3_000,
  timeoutMs: 5_000,
  maxAttempts: 3,
  confirmTimeoutMs: 0,
};

/** The same on every machine: without the port, and however a machine without a network says that it knows no name. */
const portable = (error: TelephonyError) =>
  JSON.parse(
    JSON.stringify(parts(error))
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      .replace(/RQ[0-9a-f]{32}/, 'RQ…')
      .replace('EAI_AGAIN', 'ENOTFOUND'),
  );

/** Runs an operation against a fault, and says what came of it. */
export async function meet(
  { start, limits }: Pick<Fault, 'start' | 'limits'>,
  operation: keyof typeof operations,
): Promise<{ outcome: Outcome; error: TelephonyError | undefined }> {
  const stage = await start();
  const random = hurry();
  const sends = jest.spyOn(Axios.prototype, 'request');
  try {
    let error: TelephonyError | undefined;
    let result: { status: string | null } | undefined;
    const run = operations[operation](stage, { ...patient, ...limits });
    try {
      result = await run;
    } catch {
      error = await errorOf(run);
    }
    const came = error ? { error: portable(error) } : { result: result?.status };
    const stored = stage.stored ? { stored: stage.stored() } : {};
    const [tries, arrived] = [sends.mock.calls.length, stage.arrived().length];
    return { outcome: { tries, arrived, ...stored, ...came }, error };
  } finally {
    sends.mockRestore();
    random.mockRestore();
  }
}
