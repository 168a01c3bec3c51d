import { definitions, type Said, sentence, TelephonyError } from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import { accountType } from '../node/node-type.ts';
import type { Handler, NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { deliveryLogOf } from './delivery-log.ts';
import { reportPath } from './event-path.ts';
import { type Polling, pollingOf } from './poller.ts';
import { receiverOf } from './receiver.ts';

/** The event status of an account, for the editor. */
export interface EventReport {
  /** The webhook URL of the deployed settings, with environment variables replaced. */
  address?: string;
  /** The id of the running account; within a subflow, that of its first use. */
  id?: string;
  /** When the last event of each kind arrived, by event id, in ISO 8601. */
  last: Record<string, string>;
  /** What is wrong with the deployed settings. */
  problem?: Said;
  /** The status of polling. */
  polling?: Polling;
  /** The last request that the plugin refused. */
  refused?: { at: string; said: Said };
}

/** What to do before an account can be used. */
export const notDeployed = sentence('Deploy the account first.');

async function reportOf(RED: NodeRed, id: string): Promise<EventReport> {
  const account = runningAccount(id);
  const last: EventReport['last'] = {};
  // `deliveryLogOf` keeps an account's state in memory, so requests for unknown accounts must not create it.
  if (!account && storedProperties(RED, id)?.type !== accountType)
    return { last, problem: notDeployed };
  const deliveryLog = deliveryLogOf(account?.id ?? id, RED);
  for (const event of definitions.events) {
    const at = await deliveryLog.last(event.id);
    if (at) last[event.id] = at.toISOString();
  }
  if (!account) return { last, problem: notDeployed };
  const known: EventReport = { last, id: account.id };
  try {
    const { url } = account.webhook() ?? {};
    if (url) known.address = url;
    const polling = await pollingOf(RED, account);
    if (polling && !url) return { last, polling };
    const { refused } = receiverOf(account, RED);
    return {
      ...known,
      ...(polling && { polling }),
      ...(refused && { refused: { ...refused, at: refused.at.toISOString() } }),
    };
  } catch (error) {
    if (error instanceof TelephonyError) return { ...known, problem: error.said };
    throw error;
  }
}

/** Serves the event status that dialogs show next to the webhook URL. Requires the right to read flows. */
export function registerEventReport(RED: NodeRed) {
  const handler: Handler = ({ params }, response, next) => {
    reportOf(RED, params.account ?? '').then((report) => response.json(report), next);
  };
  RED.httpAdmin.get(`${reportPath}/:account`, RED.auth.needsPermission('flows.read'), handler);
}
