import { definitions, type EventReply } from '../../../src/builder.ts';
import type { Translate } from '../locale/translate.ts';
import { nodeType } from '../node/node-type.ts';
import { eventLook } from './event-page.ts';
import { escapeHtml, type NodePage, namesOf, toScript } from './html.ts';
import { replyIcon } from './icons.ts';
import {
  entry,
  heading,
  inputEntry,
  inputProperties,
  list,
  paragraphs,
  references,
  sentences,
} from './operation-help.ts';
import { choicesSource, inputDefaults, inputField, inputRow } from './operation-page.ts';
import { nameRow } from './rows.ts';

const definition = ({ name, fields }: EventReply) => `{
  ${eventLook}
  icon: '${replyIcon}',
  align: 'right',
  inputs: 1,
  outputs: 0,
  defaults: {
    name: { value: '' },${fields.map((field) => inputDefaults(field)).join('')}
  },
  ${namesOf(name)}
  oneditprepare: function () { telephonyNodes.prepareInputs(${toScript(fields.map((field) => inputField(field)))}, ${toScript(choicesSource)}); },
}`;

function help({ id, description, fields }: EventReply, t: Translate) {
  const repliable = definitions.events.filter(({ replies = [] }) =>
    replies.some((reply) => reply.id === id),
  );
  const names = repliable.map(({ name }) => escapeHtml(t(name))).join(', ');
  const event = entry('event', 'object', t('The event, as its node sends it.'));
  return [
    `<p>${sentences(t, description)}</p>`,
    heading(t, 'Inputs'),
    list([event]),
    inputProperties(
      t,
      fields.map((field) => inputEntry(t, field)),
    ),
    heading(t, 'Details'),
    `<p>${t('It replies to: __names__.', { names })}</p>`,
    paragraphs(t, [
      'Tick <i>Reply</i> in the node of the event, and keep <code>msg.event</code> in the message.',
      'Each event gets one reply, within ten seconds. A later one is an error for a Catch node.',
    ]),
    references(t, ['expressions', 'errors']),
  ].join('\n');
}

/** The palette entry, the dialog and the help of a reply node. */
export const replyPage = (reply: EventReply): NodePage => ({
  type: nodeType(reply.id),
  definition: definition(reply),
  dialog: nameRow(reply.name) + reply.fields.map((field) => inputRow(field)).join(''),
  help: (t) => help(reply, t),
});
