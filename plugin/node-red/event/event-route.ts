import { nodeHandler, openReceiver } from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import { accountType } from '../node/node-type.ts';
import type { NodeRed, Request, Response } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { eventPath } from './event-path.ts';
import { receiverOf } from './receiver.ts';
import { flowsRun, followFlows } from './running-flows.ts';

async function receive(
  RED: NodeRed,
  request: Request,
  response: Response,
  next: () => void,
): Promise<void> {
  const { account: id = '' } = request.params;
  const isRunning = await flowsRun();
  const account = runningAccount(id);
  // Accounts within a subflow are known only while flows run.
  if (isRunning && !account && storedProperties(RED, id)?.type !== accountType) return next();
  const receiver = await openReceiver(() =>
    isRunning && account ? receiverOf(account, RED).receive : undefined,
  );
  return nodeHandler(receiver)(request, response);
}

/**
 * Receives webhooks on a page of flows. `httpNodeAuth` and `httpNodeMiddleware` guard it like all such pages; in
 * addition, the plugin checks the signature.
 */
export function registerEventRoute(RED: NodeRed) {
  followFlows(RED);
  const guards = [RED.settings.httpNodeMiddleware ?? []].flat();
  // Handles every method: an administrator who chose another one at the service gets a response that says so.
  RED.httpNode.all(`${eventPath}/:account`, ...guards, (request, response, next) => {
    receive(RED, request, response, next).catch(next);
  });
}
