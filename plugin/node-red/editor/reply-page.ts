import { definitions, type EventReply } from '../../../src/builder.ts';
import { nodeType } from '../node/node-type.ts';
import { eventLook } from './event-page.ts';
import { escapeHtml, type NodePage, toScript } from './html.ts';
import { inputEntry, inputProperties } from './operation-help.ts';
import { choicesSource, inputDefaults, inputField, inputRow, isWritten } from './operation-page.ts';
import { nameRow } from './rows.ts';

const definition = ({ name, fields }: EventReply) => `{
  ${eventLook}
  icon: 'act.svg',
  align: 'right',
  inputs: 1,
  outputs: 0,
  defaults: {
    name: { value: '' },${fields.map((field) => inputDefaults(field, isWritten(field) && 'payload')).join('')}
  },
  paletteLabel: ${toScript(name)},
  label: function () { return this.name || ${toScript(name)}; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  oneditprepare: function () { telephonyNodes.prepareInputs(${toScript(fields.map((field) => inputField(field)))}, ${toScript(choicesSource)}); },
}`;

function help({ id, description, fields }: EventReply) {
  const answered = definitions.events.filter(({ replies = [] }) =>
    replies.some((reply) => reply.id === id),
  );
  return `<p>${escapeHtml(description)}</p>
${inputProperties(fields.map((field) => inputEntry(field)))}
<h3>Details</h3>
<p>It replies to: ${escapeHtml(answered.map(({ name }) => name).join(', '))}. Tick <i>Reply</i> in the node of the event, and keep <code>msg.event</code> in the
message. There is one reply to each, within ten seconds, whatever the flow does meanwhile; what is too late reaches a Catch node.</p>`;
}

/** The palette entry, the dialog and the help of the node of a reply. */
export const replyPage = (reply: EventReply): NodePage => ({
  type: nodeType(reply.id),
  definition: definition(reply),
  dialog: nameRow(reply.name) + reply.fields.map((field) => inputRow(field)).join(''),
  help: help(reply),
});
