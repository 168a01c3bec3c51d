import { definitions, sentence, setSettingsLocation } from '../../src/builder.ts';
import { registerAccount } from './account/account.ts';
import { registerAction } from './action/action.ts';
import { registerBatch } from './batch/batch-node.ts';
import { registerChoices } from './choices/choices-route.ts';
import { registerRead } from './data-source/data-source.ts';
import { registerEvents } from './event/event.ts';
import { registerEventReport } from './event/event-report.ts';
import { registerEventRoute } from './event/event-route.ts';
import { followPolling } from './event/poller.ts';
import { registerReply } from './event/reply.ts';
import { registerMediaRoute } from './media/media-route.ts';
import type { NodeRed } from './node-red.ts';
import { registerConnectionTest } from './settings/connection-test.ts';
import { registerNumbers } from './settings/numbers.ts';
import { registerUsage } from './settings/usage.ts';

/** Registers the configuration node, the nodes of operations and events, and their routes on Node-RED's server. */
export default function register(RED: NodeRed) {
  setSettingsLocation(sentence('the account node'));
  registerAccount(RED);
  for (const action of definitions.actions) registerAction(RED, action);
  registerBatch(RED);
  registerRead(RED);
  registerEvents(RED);
  registerReply(RED);
  registerConnectionTest(RED);
  registerUsage(RED);
  registerNumbers(RED);
  registerChoices(RED);
  registerEventRoute(RED);
  registerEventReport(RED);
  followPolling(RED);
  registerMediaRoute(RED);
}
