import type { Fault } from '../../demo/sandbox/index.ts';
import type { Limits } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { account, sms, telephonyAt } from './service.ts';

/** A sandbox without messages, with faults in its queue. */
export async function sandboxWith(...faults: Fault[]): Promise<Sandbox> {
  const sandbox = await openSandbox(account);
  sandbox.messages.length = 0;
  for (const fault of faults) sandbox.faults.add(fault);
  return sandbox;
}

/** The SID of the record, or the error code. */
export const outcome = (run: Promise<{ sid: string }>): Promise<string> =>
  run.then(
    ({ sid }) => sid,
    (error) => (error.name === 'TelephonyError' ? error.code : String(error)),
  );

/** Sends an SMS. */
export const send = (
  sandbox: Sandbox,
  limits: Partial<Limits> = {},
  body: string = sms.body,
): Promise<string> => outcome(telephonyAt(sandbox.url, limits).run('send-sms', { ...sms, body }));
