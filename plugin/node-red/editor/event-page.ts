import { definitions, type EventDefinition, recordShape } from '../../../src/builder.ts';
import { eventPath, newsPath } from '../event/event-path.ts';
import { accountType, nodeType } from '../node/node-type.ts';
import { escapeHtml, type NodePage, toScript } from './html.ts';
import { entry, list, recordHelp } from './operation-help.ts';
import { accountRow, nameRow, row } from './rows.ts';

/** How the nodes that have to do with events look. */
export const eventLook = `category: ${toScript(definitions.manifest.id)},
  color: '#c9bfe6',`;

const definition = ({ id, name, replies }: EventDefinition) => `{
  ${eventLook}
  icon: 'hear.svg',
  inputs: 0,
  outputs: 1,
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${replies ? '\n    replies: { value: false },' : ''}
  },
  paletteLabel: ${toScript(name)},
  label: function () { return this.name || ${toScript(name)}; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  oneditprepare: function () { telephonyNodes.prepareEvent(${toScript({ eventPath, newsPath })}, ${toScript(id)}); },
}`;

const replyRow = row(
  'replies',
  'Reply',
  `<input type="checkbox" id="node-input-replies" style="width: auto; vertical-align: top">
  <span>by a Reply node of this flow</span>`,
);

/**
 * Where a dialog shows the webhook URL and the last event.
 *
 * @param dialog whose: the one of an account opens above that of a node
 */
export const addressRow = (dialog: 'node' | 'account') => `
<div class="form-row">
  <label for="telephony-${dialog}-event-address">Webhook URL</label>
  <input type="text" id="telephony-${dialog}-event-address" style="width: calc(70% - 44px)" readonly>
  <button type="button" class="red-ui-button" id="telephony-${dialog}-event-copy" title="Copy" aria-label="Copy the webhook URL" style="width: 40px"><i class="fa fa-clipboard"></i></button>
  <div id="telephony-${dialog}-event-news" role="status" style="margin-left: 104px; opacity: 0.7"></div>
</div>`;

const dialog = ({ name, setUp, replies }: EventDefinition) =>
  [
    nameRow(name),
    accountRow,
    replies ? replyRow : '',
    addressRow('node'),
    `<p>${escapeHtml(setUp)}</p>`,
  ].join('');

function help({
  description,
  setUp,
  parameters,
  fixed = {},
  receivedAt,
  media,
  replies,
  order,
  polled,
  result,
}: EventDefinition) {
  const filled = [
    ...parameters.map(({ key }) => key),
    ...Object.keys(fixed),
    ...(receivedAt ?? []),
  ];
  const names = replies?.map(({ name }) => `<b>${escapeHtml(name)}</b>`).join(' or ');
  const outputs = [
    entry('payload', 'object', 'the record'),
    entry('event', 'object', `the event's identifiers${names ? ', which a Reply node needs' : ''}`),
  ];
  return `<p>${escapeHtml(description)}</p>
<h3>Outputs</h3>
${list(outputs)}
${recordHelp(recordShape(result.of), filled)}
${media ? '<p><code>msg.payload.media</code> lists its pictures and other files, each with <code>url</code> and <code>contentType</code>.</p>' : ''}
<p>Its other fields are empty.</p>
<h3>Details</h3>
<p>${escapeHtml(setUp)} The node's dialog shows the webhook URL once the account has a <i>Public URL</i>.</p>
${polled ? "<p>If the service can't reach this Node-RED, set <i>Poll every</i> in the account. Polled records are complete and current.</p>" : ''}
<p>The node accepts only requests with a valid signature, and delivers each event once.${order ? ' Reports that arrive out of order are left out.' : ''}</p>${
    names
      ? `
<p>With <i>Reply</i>, a ${names} node of the flow sends the answer, within ten seconds. Keep <code>msg.event</code> in the message.</p>`
      : ''
  }`;
}

/** The palette entry, the dialog and the help of an event's node. */
export const eventPage = (event: EventDefinition): NodePage => ({
  type: nodeType(event.id),
  definition: definition(event),
  dialog: dialog(event),
  help: help(event),
});
