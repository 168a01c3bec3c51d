import { AsyncLocalStorage } from 'node:async_hooks';
import { Axios } from 'axios';
import type { Fault as SandboxFault } from '../../demo/sandbox/index.ts';
import type { Http, Limits, TelephonyError } from '../../src/builder.ts';
import { errorOf, parts } from '../requests/errors.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import type { Received } from './raw-server.ts';
import { account, callSid, skipRetryWaits, sms, telephonyAt } from './service.ts';

/** A server instead of the service. */
export interface FaultyService {
  url: string;
  /** The requests that arrived completely. */
  arrived(): Pick<Received, 'method' | 'path'>[];
  /** How many records the write stored, if the server counts them. */
  stored?(): number;
  /** The SID of a call that exists there. */
  call?: string;
}

/** The outcome of one operation. */
export interface Outcome {
  attempts: number;
  /** How many requests arrived completely. */
  arrived: number;
  stored?: number;
  /** The status of the record. */
  result?: unknown;
  error?: object;
}

export interface Fault {
  name: string;
  start(): Promise<FaultyService>;
  limits?: Partial<Limits>;
  read: Outcome;
  write: Outcome;
}

/** A sandbox with faults in its queue. */
export const sandboxWith = (...faults: SandboxFault[]) =>
  async function start(): Promise<FaultyService> {
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
  read: (service: FaultyService, limits: Partial<Limits>, http?: Http) =>
    telephonyAt(service.url, limits, http).run('view-a-call', { callSid: service.call ?? callSid }),
  write: (service: FaultyService, limits: Partial<Limits>, http?: Http) =>
    telephonyAt(service.url, limits, http).run('send-sms', sms),
};

const defaultLimits: Partial<Limits> = {
  // Longer than a busy machine stops a process: no fault waits for these.
  idleTimeoutMs: 10_000,
  timeoutMs: 20_000,
  maxAttempts: 3,
  confirmTimeoutMs: 0,
};

/** An error without what differs between machines: ports, request ids, and the code for an unknown host. */
const portable = (error: TelephonyError) =>
  JSON.parse(
    JSON.stringify(parts(error))
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      .replace(/RQ[0-9a-f]{32}/, 'RQ…')
      .replace('EAI_AGAIN', 'ENOTFOUND'),
  );

/** Counts the requests of axios by the run that sends them. */
const ofAxios = new AsyncLocalStorage<() => void>();
const { request } = Axios.prototype;

/** Runs an operation against a fault, with axios or another HTTP function. */
async function runAgainstFault(
  { start, limits }: Pick<Fault, 'start' | 'limits'>,
  operation: keyof typeof operations,
  http?: Http,
): Promise<{ outcome: Outcome; error: TelephonyError | undefined }> {
  const service = await start();
  let attempts = 0;
  const count = () => {
    attempts += 1;
  };
  const counted: Http | undefined =
    http &&
    ((exchange) => {
      count();
      return http(exchange);
    });
  const run = ofAxios.run(count, () =>
    operations[operation](service, { ...defaultLimits, ...limits }, counted),
  );
  let error: TelephonyError | undefined;
  let result: { status: string | null } | undefined;
  try {
    result = await run;
  } catch {
    error = await errorOf(run);
  }
  const end = error ? { error: portable(error) } : { result: result?.status };
  const stored = service.stored ? { stored: service.stored() } : {};
  const arrived = service.arrived().length;
  return { outcome: { attempts, arrived, ...stored, ...end }, error };
}

type Way = readonly [operation: keyof typeof operations, over: string, http?: Http | undefined];

/** How many run at the same time. */
const lanes = 12;

/**
 * Runs each fault in several ways before the tests of a file, some at the same time, because most wait for a timeout.
 *
 * @returns a function that resolves to how one of them ended
 */
export function runFaults(faults: Fault[], ways: readonly Way[]) {
  const runs = new Map<string, ReturnType<typeof runAgainstFault>>();
  const keyOf = ({ name }: Fault, operation: string, over: string) =>
    [name, operation, over].join();

  beforeAll(async () => {
    const random = skipRetryWaits();
    const sends = jest.spyOn(Axios.prototype, 'request').mockImplementation(function (
      this: Axios,
      ...given
    ) {
      ofAxios.getStore()?.();
      return request.apply(this, given) as never;
    });
    const left = faults.flatMap((fault) => ways.map((way) => ({ fault, way })));
    async function runAll() {
      for (let next = left.shift(); next; next = left.shift()) {
        const { fault, way } = next;
        const run = runAgainstFault(fault, way[0], way[2]);
        runs.set(keyOf(fault, way[0], way[1]), run);
        // Its own test fails.
        await run.catch(() => {});
      }
    }
    await Promise.all(Array.from({ length: lanes }, runAll));
    sends.mockRestore();
    random.mockRestore();
  }, 300_000);

  return async (fault: Fault, operation: string, over: string) => {
    const run = runs.get(keyOf(fault, operation, over));
    if (!run) throw new Error('It has not run.');
    return run;
  };
}
