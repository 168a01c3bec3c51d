import { definitions } from '../../src/index.ts';
import { registerAccount } from './account-node.ts';
import { registerConnectionTest } from './connection-test.ts';
import { registerMediaRoute } from './media-route.ts';
import type { NodeRed } from './node-red.ts';
import { registerOperation } from './operation-node.ts';

/** Registers the configuration node, a node for each operation, and what the two ask of Node-RED's server. */
export default function register(RED: NodeRed) {
  registerAccount(RED);
  for (const operation of [...definitions.dataSources, ...definitions.actions])
    registerOperation(RED, operation);
  registerConnectionTest(RED);
  registerMediaRoute(RED);
}
