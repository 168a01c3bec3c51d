import { definitions, type EventDefinition, recordShape } from '../../../src/index.ts';
import { eventPath, newsPath } from '../event/event-path.ts';
import { accountType, nodeType } from '../node/node-type.ts';
import { escapeHtml, type NodePage, toScript } from './html.ts';
import { entry, list, recordHelp } from './operation-help.ts';
import { accountRow, nameRow, row } from './rows.ts';

/** How the nodes that have to do with events look. */
export const eventLook = `category: ${toScript(definitions.manifest.id)},
  color: '#c9bfe6',`;

const definition = ({ id, name, reply }: EventDefinition) => `{
  ${eventLook}
  icon: 'hear.svg',
  inputs: 0,
  outputs: 1,
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${reply ? '\n    replies: { value: false },' : ''}
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
 * Where a dialog says what to enter at the service, and what came of it.
 *
 * @param dialog whose: the one of an account opens above that of a node
 */
export const addressRow = (dialog: 'node' | 'account') => `
<div class="form-row">
  <label for="telephony-${dialog}-event-address">Address</label>
  <input type="text" id="telephony-${dialog}-event-address" style="width: 70%" readonly>
  <div id="telephony-${dialog}-event-news" role="status" style="margin-left: 104px; opacity: 0.7"></div>
</div>`;

const dialog = ({ name, setUp, reply }: EventDefinition) =>
  [
    nameRow(name),
    accountRow,
    reply ? replyRow : '',
    addressRow('node'),
    `<p>${escapeHtml(setUp)}</p>`,
  ].join('');

function help({
  description,
  setUp,
  parameters,
  fixed = {},
  reply,
  order,
  polled,
  result,
}: EventDefinition) {
  const filled = [...parameters.map(({ key }) => key), ...Object.keys(fixed)];
  const outputs = [
    entry('payload', 'object', 'the record'),
    entry('event', 'object', `which event it is${reply ? ', for a Reply node' : ''}`),
  ];
  return `<p>${escapeHtml(description)}</p>
<h3>Outputs</h3>
${list(outputs)}
${recordHelp(recordShape(result.of), filled)}
<p>All else that such a record can have is empty.</p>
<h3>Details</h3>
<p>${escapeHtml(setUp)} The dialog shows the address, once the account has a <i>Public URL</i>.</p>
${polled ? "<p>If the service can't reach this Node-RED, set <i>Poll every</i> in the account. Polled records are complete and current.</p>" : ''}
<p>Only what the service has signed is received, and each event once, however often it is reported.${order ? ' Reports that arrive out of order are left out.' : ''}</p>${
    reply
      ? `
<p>With <i>Reply</i>, a <b>Reply</b> node of the flow says what is sent back, within ten seconds. Keep <code>msg.event</code> in the message.</p>`
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
