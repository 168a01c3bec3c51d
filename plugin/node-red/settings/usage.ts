import { TelephonyError, type Usage } from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import type { Handler, NodeRed } from '../node-red.ts';
import { usagePath } from './usage-path.ts';

/** How much an account has sent, for its dialog; empty if it isn't deployed or complete. */
export interface UsageReport {
  usage?: Usage;
}

async function reportOf(id: string): Promise<UsageReport> {
  try {
    const usage = await runningAccount(id)?.telephony().usage();
    return usage ? { usage } : {};
  } catch (error) {
    if (error instanceof TelephonyError) return {};
    throw error;
  }
}

/** Serves how much accounts have sent. Requires the right to read flows. */
export function registerUsage(RED: NodeRed) {
  const handler: Handler = ({ params }, response, next) => {
    reportOf(params.account ?? '').then((report) => response.json(report), next);
  };
  RED.httpAdmin.get(`${usagePath}/:account`, RED.auth.needsPermission('flows.read'), handler);
}
