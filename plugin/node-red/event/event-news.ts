import { definitions, TelephonyError } from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import { accountType } from '../node/node-type.ts';
import type { Handler, NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { memoryOf } from './delivery-log.ts';
import { newsPath } from './event-path.ts';
import { type Polling, pollingOf } from './poller.ts';
import { receiverOf } from './receiver.ts';

/** What the editor says of the events of an account. */
export interface EventNews {
  /** Where they come by the settings that are deployed, which can be names of environment variables. */
  address?: string;
  /** The id of the account that runs, which within a subflow is that of its first use. */
  id?: string;
  /** When the last one of each came, by its id, as ISO 8601. */
  last: Record<string, string>;
  /** What is wrong with the settings that are deployed. */
  problem?: string;
  /** How it is polled. */
  polling?: Polling;
  /** What was refused last. */
  refused?: { at: string; sentence: string };
}

async function newsOf(RED: NodeRed, id: string): Promise<EventNews> {
  const account = runningAccount(id);
  const last: EventNews['last'] = {};
  // The state of an account is kept in memory: a request for an unknown one must not create any.
  if (!account && storedProperties(RED, id)?.type !== accountType)
    return { last, problem: 'Deploy the account first.' };
  const memory = memoryOf(RED, account?.id ?? id);
  for (const event of definitions.events) {
    const at = await memory.last(event.id);
    if (at) last[event.id] = at.toISOString();
  }
  if (!account) return { last, problem: 'Deploy the account first.' };
  const known: EventNews = { last, id: account.id };
  try {
    const { url } = account.eventPlace() ?? {};
    if (url) known.address = url;
    const polling = await pollingOf(RED, account);
    if (polling && !url) return { last, polling };
    const { refused } = receiverOf(RED, account);
    return {
      ...known,
      ...(polling && { polling }),
      ...(refused && { refused: { ...refused, at: refused.at.toISOString() } }),
    };
  } catch (error) {
    if (error instanceof TelephonyError) return { ...known, problem: error.message };
    throw error;
  }
}

/** What dialogs show next to the address. For those who may see flows. */
export function registerEventNews(RED: NodeRed) {
  const answer: Handler = ({ params }, response, next) => {
    newsOf(RED, params.account ?? '').then((news) => response.json(news), next);
  };
  RED.httpAdmin.get(`${newsPath}/:account`, RED.auth.needsPermission('flows.read'), answer);
}
