import { definitions } from '../../src/index.ts';
import { registerAccount } from './account/account-node.ts';
import { registerMediaRoute } from './media/media-route.ts';
import type { NodeRed } from './node-red.ts';
import { registerOperation } from './operation/operation-node.ts';
import { registerConnectionTest } from './settings/connection-test.ts';

/** Registers the configuration node, a node for each operation, and what the two ask of Node-RED's server. */
export default function register(RED: NodeRed) {
  registerAccount(RED);
  for (const operation of [...definitions.dataSources, ...definitions.actions])
    registerOperation(RED, operation);
  registerConnectionTest(RED);
  registerMediaRoute(RED);
}
