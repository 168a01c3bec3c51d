import {
  eventPoller,
  outcomeSentence,
  type PolledAccount,
  polledEvents,
  pollStateOf,
  type Said,
  TelephonyError,
} from '../../../src/builder.ts';
import { type AccountNode, runningAccount, runningAccounts } from '../account/account.ts';
import { forSingleSends } from '../batch/batch-store.ts';
import type { NodeRed } from '../node-red.ts';
import { storeOf } from './account-store.ts';
import { deliverToFlows } from './deliver-to-flows.ts';
import { deliveryLogOf } from './delivery-log.ts';
import { listenersOf } from './listeners.ts';

/** The polling status of an account, for the editor. */
export interface Polling {
  /** The poll interval in milliseconds. */
  every: number;
  /** When the service last responded, in ISO 8601. */
  at?: string;
  /** Why a later poll failed. */
  problem?: Said;
}

/** Returns the polling status of an account; undefined if polling is off. */
export async function pollingOf(RED: NodeRed, account: AccountNode): Promise<Polling | undefined> {
  const every = account.pollIntervalMs();
  if (every === 0) return undefined;
  const { answeredAt, problem } = await pollStateOf(storeOf(account.id, RED), account.id).read();
  return {
    every,
    ...(answeredAt !== undefined && { at: new Date(answeredAt).toISOString() }),
    ...(problem !== undefined && { problem }),
  };
}

interface RunningAccount extends PolledAccount {
  node: AccountNode;
}

function polledAccount(RED: NodeRed, key: string): RunningAccount[] {
  const node = runningAccount(key);
  if (!node) return [];
  const events = polledEvents.map(({ id }) => id).filter((id) => listenersOf(key, id).length > 0);
  try {
    const intervalMs = node.pollIntervalMs();
    const telephony = () => forSingleSends(RED, key, node.telephony());
    return [{ key, node, events, intervalMs, telephony }];
  } catch (error) {
    // Event nodes report wrong settings.
    if (error instanceof TelephonyError) return [];
    throw error;
  }
}

const listeners = ({ key, events }: RunningAccount) =>
  events.flatMap((event) => listenersOf(key, event));

/** Polls the accounts while flows run. */
export function followPolling(RED: NodeRed): void {
  const poller = eventPoller<RunningAccount>({
    accounts: () => runningAccounts().flatMap((key) => polledAccount(RED, key)),
    store: ({ key }) => storeOf(key, RED),
    deliveryLog: ({ key }) => deliveryLogOf(key, RED),
    deliver: ({ key }, event, options) => deliverToFlows(RED, key, event, options),
    report: ({ node }, what) => {
      const sentence = outcomeSentence(what);
      if (sentence) node.warn(sentence);
    },
    polled: (account, error) => {
      for (const listener of listeners(account)) listener.polled(error);
    },
    logProblem: (account, error) => {
      for (const listener of listeners(account)) listener.failed(error);
    },
    logFault: ({ message }) => RED.log.warn(`Polling failed: ${message}`),
    // Only one process uses Node-RED's folder.
    isAlone: () => true,
  });
  RED.events.on('flows:stopping', () => void poller.stop());
  RED.events.on('flows:started', () => poller.start({ isDueNow: true }));
}
