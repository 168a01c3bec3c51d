import { definitions, type EventReply, replyForms } from '../../../src/builder.ts';
import type { Translate } from '../locale/translate.ts';
import { choiceTypes } from '../node/choice-node.ts';
import { choicePage, choicesHelp } from './choice-page.ts';
import { eventColor } from './event-page.ts';
import { escapeHtml } from './html.ts';
import { replyIcon } from './icons.ts';
import {
  entry,
  heading,
  inputEntry,
  inputProperties,
  list,
  paragraphs,
  references,
} from './operation-help.ts';
import { inputField, inputRow, isWritten } from './operation-page.ts';

/** The events that a form can reply to. */
const repliable = (form: EventReply) =>
  definitions.events.filter(({ replies = [] }) => replies.some(({ id }) => id === form.id));

const help = (t: Translate) =>
  [
    `<p>${t('Replies to an event, such as an SMS or a call that comes in.')}</p>`,
    heading(t, 'Inputs'),
    list([entry('event', 'object', t('The event, as its node sends it.'))]),
    inputProperties(t, []),
    choicesHelp(t, replyForms, (form) => {
      const names = repliable(form).map(({ name }) => escapeHtml(t(name)));
      return [
        list(form.fields.map((field) => inputEntry(t, field))),
        `<p>${t('It replies to: __names__.', { names: names.join(', ') })}</p>`,
      ];
    }),
    heading(t, 'Details'),
    paragraphs(t, [
      'Tick <i>Reply</i> in the node of the event, and keep <code>msg.event</code> in the message.',
      'Each event gets one reply, within ten seconds. A later one is an error for a Catch node.',
    ]),
    references(t, ['expressions', 'errors']),
  ].join('\n');

/** The palette entry, the dialog and the help of the node that replies. */
export const replyPage = choicePage({
  type: choiceTypes.reply,
  ...{ name: 'Reply', label: 'Reply', icon: 'reply' },
  all: replyForms,
  first: replyForms.find(({ fields }) => fields.some(isWritten)) as EventReply,
  groupOf: (form) => repliable(form)[0]?.name ?? '',
  iconOf: () => replyIcon,
  look: `color: '${eventColor}',
  align: 'right',
  inputs: 1,
  outputs: 0,`,
  defaults: '',
  above: '',
  inputOf: (field) => inputField(field),
  rowsOf: ({ fields }) => fields.map((field) => inputRow(field)).join(''),
  help,
});
