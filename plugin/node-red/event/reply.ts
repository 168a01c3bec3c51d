import { replyField, TelephonyError, waitingReply } from '../../../src/builder.ts';
import { nodeType } from '../node/node-type.ts';
import { readField } from '../node/read-input.ts';
import { hand } from '../node/report.ts';
import {
  editorId,
  type FlowConfig,
  type FlowNode,
  type Message,
  type NodeRed,
} from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';

/** The type of the node that replies to events. */
export const replyType = nodeType('reply');

/** Sends a reply. Throws when nothing waits for it, or it cannot be sent. */
function reply(event: unknown, text: unknown): void {
  const { replyTo } = Object(event);
  if (!replyTo)
    throw new TelephonyError(
      'input',
      'No event waits for a reply. Tick “Reply” in the event node and keep msg.event in the message. Polled events cannot be replied to: send an SMS instead.',
    );
  waitingReply(String(replyTo)).reply(text);
}

/** Registers the node that replies to events. */
export function registerReply(RED: NodeRed) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    const typed = storedProperties(RED, editorId(this)) ?? config;
    const source = { RED, node: this, config, typed };
    let count = 0;
    const answer = async (message: Message) => {
      reply(message.event, await readField(source, replyField, false, message));
      count += 1;
      this.status({
        fill: 'green',
        shape: 'dot',
        text: `${count.toLocaleString('en-US')} replied`,
      });
    };
    this.on('input', (message, _send, done) => {
      answer(message).then(
        () => done(),
        (error) => {
          this.status({ fill: 'red', shape: 'ring', text: error.code ?? 'unexpected' });
          hand(error, done);
        },
      );
    });
  }
  RED.nodes.registerType(replyType, construct);
}
