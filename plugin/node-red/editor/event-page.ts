import { definitions, type EventDefinition, recordShape } from '../../../src/builder.ts';
import { eventPath, reportPath } from '../event/event-path.ts';
import type { Translate } from '../locale/translate.ts';
import { accountType, nodeType } from '../node/node-type.ts';
import { escapeHtml, type NodePage, namesOf, toScript } from './html.ts';
import { recordIcon } from './icons.ts';
import {
  entry,
  heading,
  list,
  paragraphs,
  recordHelp,
  references,
  sentences,
} from './operation-help.ts';
import {
  accountRow,
  labelOf,
  lineBelow,
  nameRow,
  onAdd,
  row,
  shownAttributes,
  shownText,
} from './rows.ts';

/** The colour of event and reply nodes. */
export const eventColor = '#c9bfe6';

const definition = ({ id, name, raisedBy, replies, needsReply, result }: EventDefinition) => `{
  category: ${toScript(definitions.manifest.id)},
  color: '${eventColor}',
  icon: '${recordIcon(result.of)}',
  inputs: 0,
  outputs: 1,
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${replies ? `\n    replies: { value: ${needsReply === true} },` : ''}
  },
  ${namesOf(name)}
  ${onAdd}
  ${raisedBy ? '' : `oneditprepare: function () { telephonyNodes.prepareEvent(${toScript({ eventPath, reportPath })}, ${toScript(id)}); },`}
}`;

const replyRow = row(
  'replies',
  'Reply',
  'reply',
  `<input type="checkbox" id="node-input-replies" style="width: auto; vertical-align: top">
  ${shownText('by a Reply node of this flow')}`,
);

/**
 * The row that shows the webhook URL and the last event.
 *
 * @param dialog which dialog: an account's dialog opens on top of a node's
 */
export const addressRow = (dialog: 'node' | 'account') => `
<div class="form-row">
  ${labelOf(`telephony-${dialog}-event-address`, 'Webhook URL', 'globe')}
  <input type="text" id="telephony-${dialog}-event-address" style="width: calc(70% - 44px)" readonly>
  <button type="button" class="red-ui-button" id="telephony-${dialog}-event-copy" ${shownAttributes({ title: 'Copy', 'aria-label': 'Copy the webhook URL' })} style="width: 40px"><i class="fa fa-clipboard"></i></button>
  ${lineBelow(`telephony-${dialog}-event-root`)}
  ${lineBelow(`telephony-${dialog}-event-report`)}
</div>`;

const dialog = ({ name, description, setUp, raisedBy, replies, polled }: EventDefinition) =>
  [
    nameRow(name),
    shownText(description, 'p'),
    accountRow,
    replies ? replyRow : '',
    raisedBy ? '' : addressRow('node'),
    shownText(setUp, 'p'),
    raisedBy
      ? ''
      : shownText(
          polled ? 'While polling, it comes as well.' : 'While polling, it does not come.',
          'p',
        ),
  ].join('');

function outputs(t: Translate, event: EventDefinition) {
  const { parameters, fixed = {}, receivedAt = [], media, replies, result } = event;
  const filled = [...parameters.map(({ key }) => key), ...Object.keys(fixed), ...receivedAt];
  const identifiers = replies
    ? "the event's identifiers, which a Reply node needs"
    : "the event's identifiers";
  return [
    heading(t, 'Outputs'),
    list([entry('payload', 'object', t('the record')), entry('event', 'object', t(identifiers))]),
    recordHelp(t, recordShape(result.of), filled),
    paragraphs(t, [
      media !== undefined &&
        '<code>msg.payload.media</code> lists its pictures and other files, each with <code>url</code> and <code>contentType</code>.',
      event.raisedBy === undefined && 'Its other fields are empty.',
    ]),
  ].join('\n');
}

function properties(t: Translate, { replies }: EventDefinition) {
  const reply = entry(t('Reply'), 'boolean', t('Whether a Reply node of this flow replies.'), true);
  return [
    heading(t, 'Properties'),
    list([
      entry(t(definitions.settings.name), 'account', t('The account whose events start the flow.')),
      ...(replies ? [reply] : []),
    ]),
  ].join('\n');
}

function details(t: Translate, { setUp, polled, order, raisedBy, replies }: EventDefinition) {
  if (raisedBy) return `${heading(t, 'Details')}\n<p>${sentences(t, setUp)}</p>`;
  const names = (replies ?? []).map(({ name }) => `<b>${escapeHtml(t(name))}</b>`).join(', ');
  return [
    heading(t, 'Details'),
    `<p>${sentences(t, setUp)} ${t("The node's dialog shows the webhook URL once the account has a <i>Public URL</i>.")}</p>`,
    paragraphs(t, [
      polled !== undefined &&
        "If the service can't reach this Node-RED, set <i>Poll every</i> in the account. Polled records are complete and current.",
      'The node accepts only requests with a valid signature, and delivers each event once.',
      order !== undefined && 'The node drops status reports that arrive after a later one.',
    ]),
    names
      ? `<p>${t('With <i>Reply</i>, one of these nodes sends the reply, within ten seconds: __names__. Keep <code>msg.event</code> in the message.', { names })}</p>`
      : '',
  ].join('\n');
}

const help = (event: EventDefinition, t: Translate) =>
  [
    `<p>${sentences(t, event.description)}</p>`,
    properties(t, event),
    outputs(t, event),
    details(t, event),
    references(t, ['security', 'errors']),
  ].join('\n');

/** The palette entry, the dialog and the help of an event's node. */
export const eventPage = (event: EventDefinition): NodePage => ({
  type: nodeType(event.id),
  definition: definition(event),
  dialog: dialog(event),
  help: (t) => help(event, t),
});
