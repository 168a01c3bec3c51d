import type { Operation } from '../../../src/builder.ts';
import { sayIn } from '../locale/say-in.ts';
import { editorId, type FlowConfig, type FlowNode, type NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { answerMessage, type Perform } from './answer-message.ts';
import { nodeType } from './node-type.ts';
import { Runs } from './runs.ts';
import { StatusLine } from './status-line.ts';

/** How long Node-RED waits for a node to close when its settings do not say, in milliseconds. */
const usualCloseTimeout = 15_000;

/** The part of that time in which messages in progress may finish; then they are stopped and reported. */
const patientPart = 0.9;

/** How long what a node has in progress may take to finish when it is closed, in milliseconds. */
export const closePatience = ({ settings: { nodeCloseTimeout } }: NodeRed): number =>
  (nodeCloseTimeout || usualCloseTimeout) * patientPart;

/**
 * Registers the node of an operation: a message comes in, the operation is run, and the message goes on with the answer
 * as its payload. `stop` or `reset` in a message stops what the node has in progress instead; so does closing the node.
 *
 * @param perform how the operation is run
 */
export function registerNode(RED: NodeRed, operation: Operation, perform: Perform) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    const typed = storedProperties(RED, editorId(this)) ?? config;
    const status = new StatusLine(operation, sayIn(RED), (shown) => this.status(shown));
    const runs = new Runs();
    const place = { RED, operation, perform, node: this, config, typed, status, runs };
    this.on('input', (message, send, done) => {
      if (message.stop !== true && message.reset !== true)
        return runs.begin((run) => answerMessage(place, run, { message, send, done }));
      runs.stop();
      if (message.reset === true) status.reset();
      done();
    });
    this.on('close', (_removed, done) => {
      runs.close(closePatience(RED)).then(() => {
        status.clear();
        done();
      });
    });
  }
  RED.nodes.registerType(nodeType(operation.id), construct);
}
