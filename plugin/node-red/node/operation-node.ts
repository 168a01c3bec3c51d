import type { Operation } from '../../../src/builder.ts';
import { serverSay, serverTranslator } from '../locale/server-translator.ts';
import { editorId, type FlowConfig, type FlowNode, type NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { handleRecipients, type Perform } from './handle-message.ts';
import { Runs } from './runs.ts';
import { StatusLine } from './status-line.ts';

/** Node-RED's default timeout for closing a node, in milliseconds. */
const usualCloseTimeout = 15_000;

/** The share of that time in which messages in progress may finish. After it, the node stops and reports them. */
const finishShare = 0.9;

/** How long messages in progress may take to finish when the node closes, in milliseconds. */
export const closeTimeoutMs = ({ settings: { nodeCloseTimeout } }: NodeRed): number =>
  (nodeCloseTimeout || usualCloseTimeout) * finishShare;

/**
 * Makes a new node run an operation. A message runs it, and the node sends the message with the result to the next
 * nodes. `stop` or `reset` in a message stops the messages in progress instead, and so does closing the node.
 *
 * @param perform runs the operation
 */
export function openOperation(
  RED: NodeRed,
  node: FlowNode,
  config: FlowConfig,
  operation: Operation,
  perform: Perform,
) {
  const typed = storedProperties(RED, editorId(node)) ?? config;
  const status = new StatusLine(operation, serverTranslator(RED), serverSay(RED), (shown) =>
    node.status(shown),
  );
  const runs = new Runs();
  const own = { RED, operation, perform, node, config, typed, status, runs };
  node.on('input', (message, send, done) => {
    if (message.stop !== true && message.reset !== true)
      return runs.start((run) => handleRecipients(own, run, { message, send, done }));
    runs.stop();
    if (message.reset === true) status.reset();
    done();
  });
  node.on('close', (_removed, done) => {
    runs.close(closeTimeoutMs(RED)).then(() => {
      status.clear();
      done();
    });
  });
}
