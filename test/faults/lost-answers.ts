import type { Fault } from '../../demo/sandbox/index.ts';
import { type Limits, TelephonyError } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { account, sms, telephonyAt } from './service.ts';

/** A sandbox of an account that nothing else of this process has used. */
export async function sandboxWith(...faults: Fault[]): Promise<Sandbox> {
  const sandbox = await openSandbox(account);
  sandbox.messages.length = 0;
  for (const fault of faults) sandbox.faults.add(fault);
  return sandbox;
}

/** The sid of the record that came, or the code of the error. */
export const outcome = (run: Promise<{ sid: string }>): Promise<string> =>
  run.then(
    ({ sid }) => sid,
    (error) => (error instanceof TelephonyError ? error.code : String(error)),
  );

/** Sends an SMS, and says what became of it. */
export const send = (
  sandbox: Sandbox,
  limits: Partial<Limits> = {},
  body: string = sms.body,
): Promise<string> => outcome(telephonyAt(sandbox.url, limits).run('send-sms', { ...sms, body }));
