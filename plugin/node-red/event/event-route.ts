import { nodeHandler, TelephonyError } from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import { accountType } from '../node/node-type.ts';
import type { NodeRed, Request, Response } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { eventPath } from './event-path.ts';
import { type Receiver, receiverOf } from './receiver.ts';
import { flowsRun, followFlows } from './running-flows.ts';

function receiverFor(RED: NodeRed, id: string): Receiver | undefined {
  try {
    const account = runningAccount(id);
    return account && receiverOf(RED, account);
  } catch (error) {
    if (error instanceof TelephonyError) return undefined;
    throw error;
  }
}

async function receive(
  RED: NodeRed,
  request: Request,
  response: Response,
  next: () => void,
): Promise<void> {
  const { account: id = '' } = request.params;
  const isRunning = await flowsRun();
  const isAccount = runningAccount(id) || storedProperties(RED, id)?.type === accountType;
  // Accounts within a subflow are known only while flows run.
  if (isRunning && !isAccount) return next();
  const receiver = isRunning && receiverFor(RED, id);
  if (receiver) return nodeHandler(receiver.receive)(request, response);
  response.writeHead(503, { 'content-type': 'text/plain' }).end('Not received yet');
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
