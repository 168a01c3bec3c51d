import { definitions } from '../../src/index.ts';
import { registerAccount } from './account/account.ts';
import { registerAction } from './action/action.ts';
import { registerDataSource } from './data-source/data-source.ts';
import { registerMediaRoute } from './media/media-route.ts';
import type { NodeRed } from './node-red.ts';
import { registerConnectionTest } from './settings/connection-test.ts';

/** Registers the configuration node, a node for each operation, and what the two ask of Node-RED's server. */
export default function register(RED: NodeRed) {
  registerAccount(RED);
  for (const source of definitions.dataSources) registerDataSource(RED, source);
  for (const action of definitions.actions) registerAction(RED, action);
  registerConnectionTest(RED);
  registerMediaRoute(RED);
}
