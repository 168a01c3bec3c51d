import { definitions, replyField } from '../../../src/builder.ts';
import { replyType } from '../event/reply.ts';
import { eventLook } from './event-page.ts';
import { escapeHtml, type NodePage, toScript } from './html.ts';
import { choicesSource, inputDefaults, inputField, inputRow } from './operation-page.ts';
import { nameRow } from './rows.ts';

const name = 'Reply';

const definition = `{
  ${eventLook}
  icon: 'act.svg',
  align: 'right',
  inputs: 1,
  outputs: 0,
  defaults: {
    name: { value: '' },${inputDefaults(replyField, 'payload')}
  },
  paletteLabel: '${name}',
  label: function () { return this.name || '${name}'; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  oneditprepare: function () { telephonyNodes.prepareInputs(${toScript([inputField(replyField)])}, ${toScript(choicesSource)}); },
}`;

const answered = definitions.events.filter(({ reply }) => reply).map((event) => event.name);

const help = `<p>Sends a text back to the sender of an event.</p>
<h3>Details</h3>
<p>It replies to: ${escapeHtml(answered.join(', '))}. Tick <i>Reply</i> in the node of the event, and keep <code>msg.event</code> in the
message. There is one reply to each, within ten seconds, whatever the flow does meanwhile; what is too late reaches a Catch node, and
can be sent as a message of its own.</p>`;

/** The palette entry, the dialog and the help of the node that replies. */
export const replyPage: NodePage = {
  type: replyType,
  definition,
  dialog: nameRow(name) + inputRow(replyField),
  help,
};
