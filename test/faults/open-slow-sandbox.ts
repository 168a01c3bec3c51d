import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { account } from './service.ts';

/** Opens a sandbox without messages, which takes 20 ms for each new one. */
export async function openSlowSandbox(): Promise<Sandbox> {
  const sandbox = await openSandbox(account);
  sandbox.messages.length = 0;
  sandbox.faults.add({ name: 'slow', delayMs: 20, times: 9_999, method: 'POST' });
  return sandbox;
}
