import { definitions, pollMinutes, type SettingsField, secretKeys } from '../../../src/builder.ts';
import { addressRow } from '../editor/event-page.ts';
import { escapeHtml, type NodePage, toScript } from '../editor/html.ts';
import { entry, list } from '../editor/operation-help.ts';
import { choicesSource, lineBelow } from '../editor/operation-page.ts';
import { eventPath, newsPath } from '../event/event-path.ts';
import { accountType } from '../node/node-type.ts';
import { defaultSenderField } from './default-sender.ts';
import { authTokenField, pollField, publicAddressField, reportField } from './event-place.ts';

const { manifest, settings, records } = definitions;
const keys = settings.fields.map(({ key }) => key);
const shown = settings.fields.filter(({ key }) => !secretKeys.includes(key));
const secret = settings.fields.filter(({ key }) => secretKeys.includes(key));

const givesOut = records.filter(({ media }) => media).map(({ name }) => name.toLowerCase());
const mediaHelp = `Everyone who can open this Node-RED's pages, such as its dashboard, can then open the audio or picture of each ${givesOut.join(' and ')}.`;

const senderHint = 'telephony-choices-sender';

const definition = `{
  category: 'config',
  defaults: {
    name: { value: '' },
    ${shown.map(({ key, required }) => `${key}: { value: '', required: ${required === true} },`).join('\n    ')}
    ${defaultSenderField.key}: { value: '' },
    ${publicAddressField.key}: { value: '' },
    ${reportField.key}: { value: false },
    ${pollField.key}: { value: '', validate: telephonyNodes.validMinutes(${pollMinutes.least}, ${pollMinutes.most}) },
    media: { value: false },
  },
  credentials: {
    ${secret.map(({ key, required }) => `${key}: { type: 'password', required: ${required === true} },`).join('\n    ')}
    ${authTokenField.key}: { type: 'password' },
  },
  label: function () { return this.name || this.${shown[0]?.key} || ${toScript(settings.name)}; },
  oneditprepare: function () {
    telephonyNodes.prepareConnectionTest('${manifest.id}/test-connection/' + this.id, ${toScript(keys)});
    telephonyNodes.prepareSender(${toScript(choicesSource)}, ${toScript(defaultSenderField.key)}, ${toScript(senderHint)}, this.id);
    telephonyNodes.prepareAccountEvents(${toScript({ eventPath, newsPath })}, this.id);
  },
}`;

type Row = Pick<SettingsField, 'label' | 'help' | 'placeholder'> & { key: string };

const isSecret = (key: string) => secretKeys.includes(key) || key === authTokenField.key;

const row = ({ key, label, help, placeholder = '' }: Row, below = '') => `
<div class="form-row">
  <label for="node-config-input-${key}">${escapeHtml(label)}</label>
  <input type="${isSecret(key) ? 'password' : 'text'}" id="node-config-input-${key}" placeholder="${escapeHtml(placeholder)}">
  <div style="margin-left: 104px; opacity: 0.7">${escapeHtml(help)}</div>${below}
</div>`;

const isAdvanced = ({ advanced }: SettingsField) => advanced === true;

const checkRow = (key: string, label: string, text: string, help = '') => `
<div class="form-row">
  <label for="node-config-input-${key}">${escapeHtml(label)}</label>
  <input type="checkbox" id="node-config-input-${key}" style="width: auto; vertical-align: top">
  <span>${escapeHtml(text)}</span>
  <div style="margin-left: 104px; opacity: 0.7">${escapeHtml(help)}</div>
</div>`;

const mediaRow = checkRow('media', 'Media', 'let browsers play audio and show pictures', mediaHelp);

const dialog = `
<div class="form-row">
  <label for="node-config-input-name">Name</label>
  <input type="text" id="node-config-input-name" placeholder="${escapeHtml(settings.name)}">
</div>${settings.fields
  .filter((field) => !isAdvanced(field))
  .map((field) => row(field))
  .join('')}${row(defaultSenderField, lineBelow(senderHint))}
<details style="margin-bottom: 12px">
  <summary style="margin-bottom: 12px">More</summary>${settings.fields
    .filter(isAdvanced)
    .map((field) => row(field))
    .join('')}${givesOut.length > 0 ? mediaRow : ''}
</details>
<details style="margin-bottom: 12px">
  <summary style="margin-bottom: 12px">Events</summary>${row(publicAddressField)}${row(authTokenField)}${addressRow('account')}${checkRow(reportField.key, reportField.label, reportField.text)}${row(pollField)}
</details>
<div class="form-row">
  <button type="button" class="red-ui-button" id="telephony-test-connection">Test connection</button>
  <span id="telephony-test-result" role="status" style="margin-left: 8px"></span>
</div>`;

const described = [...settings.fields, defaultSenderField];
const describedForEvents = [publicAddressField, authTokenField, pollField];
const entryOf = ({ key, label, help, required }: Row & { required?: boolean }) =>
  entry(label, isSecret(key) ? 'password' : 'string', escapeHtml(help), !required);

const help = `<p>${escapeHtml(settings.description)}</p>
<h3>Properties</h3>
${list(described.map(entryOf))}
<h3>Events</h3>
${list(describedForEvents.map(entryOf))}
<h3>Details</h3>
<p>Node-RED encrypts ${secret.map(({ label }) => escapeHtml(label)).join(', ')} and ${authTokenField.label}; exported flows don't contain them. Every value
can be an environment variable, such as <code>\${TELEPHONY_PASSWORD}</code>.</p>`;

/** The dialog and the help of the configuration node. */
export const settingsPage: NodePage = { type: accountType, definition, dialog, help };
