import { replyForms, TelephonyError, waitingReply } from '../../../src/builder.ts';
import { serverTranslator } from '../locale/server-translator.ts';
import { choiceTypes, registerChoice } from '../node/choice-node.ts';
import { faultText } from '../node/fault-text.ts';
import { readField } from '../node/read-input.ts';
import { passToNodeRed } from '../node/report.ts';
import { editorId, type Message, type NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';

/** The id of the waiting reply in a message. */
const replyToOf = ({ event }: Message): unknown => Object(event).replyTo;

/** Returns the reply that an event waits for. */
function waitingFor(message: Message) {
  const replyTo = replyToOf(message);
  if (!replyTo)
    throw new TelephonyError(
      'input',
      'No reply was sent, because no event waits for one. Tick “Reply” in the event node, and keep msg.event in the message.',
    );
  return waitingReply(String(replyTo));
}

/** Registers the node that sends the chosen reply. */
export const registerReply = (RED: NodeRed) =>
  registerChoice(RED, choiceTypes.reply, replyForms, (node, config, { id, fields }) => {
    const typed = storedProperties(RED, editorId(node)) ?? config;
    const t = serverTranslator(RED);
    const source = { RED, node, config, typed };
    let count = 0;
    const sendReply = async (message: Message) => {
      const input: Record<string, unknown> = {};
      for (const field of fields) input[field.key] = await readField(source, field, false, message);
      await waitingFor(message).reply(id, input);
      count += 1;
      node.status({
        fill: 'green',
        shape: 'dot',
        text: t('__count__ replied', { count }),
      });
    };
    node.on('input', (message, _send, done) => {
      sendReply(message).then(
        () => done(),
        (error) => {
          const fault = replyToOf(message) ? faultText(error) : 'no event waits for a reply';
          node.status({ fill: 'red', shape: 'ring', text: t(fault) });
          passToNodeRed(error, done);
        },
      );
    });
  });
