import {
  definitions,
  type LimitField,
  type LimitOption,
  pollRange,
  type SettingsField,
  secretKeys,
} from '../../../src/builder.ts';
import { keyOf } from '../editor/catalogue.ts';
import { addressRow } from '../editor/event-page.ts';
import { escapeHtml, type NodePage, toScript } from '../editor/html.ts';
import { fieldIcon } from '../editor/icons.ts';
import {
  entry,
  heading,
  list,
  paragraphs,
  references,
  sentences,
} from '../editor/operation-help.ts';
import { choicesSource } from '../editor/operation-page.ts';
import { labelOf, lineBelow, shownAttributes, shownText, textBelow } from '../editor/rows.ts';
import { eventPath, reportPath } from '../event/event-path.ts';
import type { Translate } from '../locale/translate.ts';
import { accountType } from '../node/node-type.ts';
import { defaultSenderField } from './default-sender.ts';
import { authTokenField, pollField, publicAddressField, reportField } from './event-settings.ts';
import { mediaField } from './media-field.ts';
import { numbersPath } from './numbers-path.ts';
import { usagePath } from './usage-path.ts';

const { manifest, settings, records } = definitions;
const testedKeys = [
  ...settings.fields.map(({ key }) => key),
  defaultSenderField.key,
  // The value of a box doesn't say whether it is ticked.
  ...settings.limits.filter(({ type }) => type !== 'switch').map(({ key }) => key),
];
const shown = settings.fields.filter(({ key }) => !secretKeys.includes(key));
const secret = settings.fields.filter(({ key }) => secretKeys.includes(key));

const hasMedia = records.some(({ media }) => media);

const senderHint = 'telephony-choices-sender';
/** The id of the element that shows the numbers. */
const numbersPlace = 'telephony-numbers';
const usageHint = 'telephony-usage';
const reachedHint = 'telephony-limits-reached';

const limitDefault = ({ key, type }: LimitField) => {
  const value = type === 'switch' ? 'false' : "''";
  return `${key}: { value: ${value}${type === 'integer' ? ', validate: telephonyNodes.validWhole' : ''} },`;
};

const definition = `{
  category: 'config',
  defaults: {
    name: { value: '' },
    ${shown.map(({ key, required }) => `${key}: { value: '', required: ${required === true} },`).join('\n    ')}
    ${defaultSenderField.key}: { value: '' },
    ${publicAddressField.key}: { value: '' },
    ${reportField.key}: { value: false },
    ${pollField.key}: { value: '', validate: telephonyNodes.validMinutes(${pollRange.least}, ${pollRange.most}) },
    ${mediaField.key}: { value: false },
    ${settings.limits.map(limitDefault).join('\n    ')}
  },
  credentials: {
    ${secret.map(({ key, required }) => `${key}: { type: 'password', required: ${required === true} },`).join('\n    ')}
    ${authTokenField.key}: { type: 'password' },
  },
  label: function () { return this.name || this.${shown[0]?.key} || this._(${toScript(keyOf(settings.name))}); },
  oneditprepare: function () {
    telephonyNodes.prepareConnectionTest('${manifest.id}/test-connection/' + this.id, ${toScript(testedKeys)});
    telephonyNodes.prepareSender(${toScript(choicesSource)}, ${toScript(defaultSenderField.key)}, ${toScript(senderHint)}, this.id);
    telephonyNodes.prepareUsage(${toScript(usagePath)}, this.id, ${toScript({ usage: usageHint, reached: reachedHint })});
    telephonyNodes.prepareAccountEvents(${toScript({ eventPath, reportPath })}, this.id);
    telephonyNodes.prepareNumbers('${numbersPath.slice(1)}/' + this.id, ${toScript(numbersPlace)});
  },
}`;

type Row = Pick<SettingsField, 'label' | 'help' | 'placeholder'> & {
  key: string;
  type: SettingsField['type'] | LimitField['type'] | 'phone';
};

const textInput = ({ key, type, placeholder = '' }: Row) =>
  `<input type="${type === 'secret' ? 'password' : 'text'}" id="node-config-input-${key}" placeholder="${escapeHtml(placeholder)}">`;

const row = (field: Row, below = '', input = textInput(field)) => `
<div class="form-row">
  ${labelOf(`node-config-input-${field.key}`, field.label, field.key === 'username' ? 'user' : fieldIcon(field.type))}
  ${input}
  ${textBelow(field.help)}${below}
</div>`;

/** An empty value is the first, also of a node that was made before the setting existed. */
const select = (key: string, options: LimitOption[]) => `
  <select id="node-config-input-${key}" style="width: 70%">
    ${options.map(({ value, label }, index) => shownText(label, 'option', `value="${index === 0 ? '' : value}"`)).join('\n    ')}
  </select>`;

// Numbers without a country code are common, so what completes them isn't hidden.
const isAdvanced = ({ advanced, type }: SettingsField) => advanced === true && type !== 'country';

interface CheckBox {
  key: string;
  label: string;
  text?: string;
  help: string;
}

const checkRow = ({ key, label, text, help }: CheckBox, icon: string, below = '') => `
<div class="form-row">
  ${labelOf(`node-config-input-${key}`, label, icon)}
  <input type="checkbox" id="node-config-input-${key}" style="width: auto; vertical-align: top">
  ${text ? shownText(text) : ''}
  ${textBelow(help)}${below}
</div>`;

/** Defaults are placeholders: a value in the field is one that someone set. */
function limitRow(limit: LimitField): string {
  const { key, type, options, placeholder = String(limit.default ?? '') } = limit;
  if (type === 'switch') return checkRow(limit, fieldIcon(type), lineBelow(usageHint));
  return options ? row(limit, '', select(key, options)) : row({ ...limit, placeholder });
}

const folded = (title: string, rows: string[]) => `
<details style="margin-bottom: 12px">
  ${shownText(title, 'summary', 'style="margin-bottom: 12px"')}${rows.join('')}
</details>`;

const dialog = `
<div id="${reachedHint}" class="form-tips" role="status" style="display: none; margin-bottom: 12px"></div>
<div class="form-row">
  ${labelOf('node-config-input-name', 'Name', 'tag')}
  <input type="text" id="node-config-input-name" ${shownAttributes({ placeholder: settings.name })}>
</div>${settings.fields
  .filter((field) => !isAdvanced(field))
  .map((field) => row(field))
  .join('')}${row(defaultSenderField, lineBelow(senderHint))}${folded('Advanced', [
  ...settings.fields.filter(isAdvanced).map((field) => row(field)),
  hasMedia ? checkRow(mediaField, 'play-circle-o') : '',
])}${folded('Events', [
  row(publicAddressField),
  row(authTokenField),
  addressRow('account'),
  `<div class="form-row" id="${numbersPlace}"></div>`,
  checkRow(reportField, 'flag-o'),
  row(pollField),
])}${folded('Limits', settings.limits.map(limitRow))}
<div class="form-row">
  <button type="button" class="red-ui-button" id="telephony-test-connection">${shownText('Test connection')}</button>
  <span id="telephony-test-result" role="status" style="margin-left: 8px"></span>
</div>`;

type Described = Pick<Row, 'label' | 'help'> & { type?: Row['type']; required?: boolean };

const described: Described[] = [
  ...[...settings.fields, defaultSenderField, ...(hasMedia ? [mediaField] : [])],
  ...[publicAddressField, authTokenField, reportField, pollField],
  ...settings.limits,
];
const typeOf = ({ type }: Described) => {
  if (type === undefined || type === 'switch') return 'boolean';
  if (type === 'secret') return 'password';
  return type === 'integer' ? 'number' : 'string';
};

const help = (t: Translate) =>
  [
    `<p>${sentences(t, settings.description)}</p>`,
    heading(t, 'Properties'),
    list(
      described.map((field) =>
        entry(t(field.label), typeOf(field), sentences(t, field.help), !field.required),
      ),
    ),
    heading(t, 'Details'),
    `<p>${t("Node-RED encrypts __secrets__; exported flows don't contain them.", { secrets: [...secret, authTokenField].map(({ label }) => escapeHtml(t(label))).join(', ') })}</p>`,
    paragraphs(t, [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of a variable, as Node-RED has it
      'Every value can be an environment variable, such as <code>${TELEPHONY_PASSWORD}</code>.',
      "Node-RED doesn't know whether a person has confirmed a batch, so the defaults here also limit batches. A change of the limits stops running batches, as each deploy does; send their rows again to continue.",
      'The dialog shows the webhook URL. Enter it in the console of your account, where the help of each event says.',
    ]),
    references(t, ['variables', 'security']),
  ].join('\n');

/** The dialog and the help of the configuration node. */
export const settingsPage: NodePage = { type: accountType, definition, dialog, help };
