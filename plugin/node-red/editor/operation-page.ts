import {
  definitions,
  type Field,
  fieldTypes,
  isAction,
  isList,
  isSmsText,
  type Operation,
} from '../../../src/builder.ts';
import { usualLimit } from '../data-source/record-limit.ts';
import { elsewhere, fieldProperties } from '../node/field-properties.ts';
import { accountType, nodeType } from '../node/node-type.ts';
import { usualProperty } from '../node/result-property.ts';
import type { TypedInputType } from './browser.ts';
import { type NodePage, toScript } from './html.ts';
import { operationHelp } from './operation-help.ts';
import { accountRow, nameRow, row, textInput } from './rows.ts';
import type { InputField } from './script.ts';

const choose = (options: string[], isRequired: boolean): TypedInputType => ({
  value: 'str',
  label: 'choose',
  options: [...(isRequired ? [] : ['']), ...options].map((value) => ({
    value,
    label: value || 'any',
  })),
});

/** What Node-RED calls the input that values of a type are typed into. */
const typedBy = (type: Field['type']) => (fieldTypes[type].holds === 'integer' ? 'num' : 'str');

function ownType({ type, options, required }: Field) {
  if (options) return choose(options, required === true);
  return typedBy(type);
}

const countId = ({ key }: Field) => `telephony-count-${key}`;

export const inputField = (field: Field): InputField => ({
  ...fieldProperties(field.key),
  types: [ownType(field), ...elsewhere],
  ...(isSmsText(field) && { count: countId(field) }),
});

/** Whether someone writes it: then it comes in as the payload, as it does in Node-RED's own nodes. */
export const isWritten = ({ required, multiline }: Field) =>
  required === true && multiline === true;

/** The properties of a node that hold an input, empty or the payload of the message at first. */
export const inputDefaults = (field: Field, isPayload: boolean) => {
  const { key, label, required, purpose, type: meaning } = field;
  const { value, type } = fieldProperties(key);
  const [text, typed] = isPayload ? ['payload', 'msg'] : ['', typedBy(meaning)];
  // The account can say who sends.
  const isRequired = required === true && purpose !== 'sender';
  const check = `telephonyNodes.validInput(${toScript(type)}, ${toScript(label)}, ${isRequired})`;
  return `
    ${value}: { value: '${text}', validate: ${check} },
    ${type}: { value: '${typed}' },`;
};

const listDefaults = `
    output: { value: 'all' },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },`;

const kinds = {
  GET: { color: '#a9dbd2', icon: 'read.svg' },
  POST: { color: '#f0c794', icon: 'act.svg' },
};

const definition = (operation: Operation) => `{
  category: ${toScript(definitions.manifest.id)},
  color: '${kinds[operation.request.method].color}',
  icon: '${kinds[operation.request.method].icon}',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${operation.fields.map((field) => inputDefaults(field, isAction(operation) && isWritten(field))).join('')}${isList(operation) ? listDefaults : ''}
    property: { value: '${usualProperty}', validate: telephonyNodes.validProperty },
  },
  paletteLabel: ${toScript(operation.name)},
  label: function () { return this.name || ${toScript(operation.name)}; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  oneditprepare: function () {
    telephonyNodes.prepareInputs(${toScript(operation.fields.map(inputField))});
    telephonyNodes.prepareProperty(${toScript(usualProperty)});
  },
}`;

const countLine = (field: Field) =>
  `<div id="${countId(field)}" style="margin-left: 104px; opacity: 0.7"></div>`;

/** The row of a dialog for an input. */
export function inputRow(field: Field) {
  const { key, label, help, placeholder, default: value } = field;
  const properties = fieldProperties(key);
  const hidden = `<input type="hidden" id="node-input-${properties.type}">`;
  const shown = textInput(properties.value, value ?? placeholder);
  const count = isSmsText(field) ? countLine(field) : '';
  return row(properties.value, label, shown + hidden + count, help);
}

const listRows = [
  row(
    'output',
    'Send',
    `<select id="node-input-output" style="width: 70%">
    <option value="all">all records in one message</option>
    <option value="pages">one message for each page</option>
  </select>`,
  ),
  row('limit', 'At most', textInput('limit', usualLimit), 'The maximum number of records to read.'),
].join('');

const dialog = (operation: Operation) =>
  [
    nameRow(operation.name),
    accountRow,
    ...operation.fields.map(inputRow),
    isList(operation) ? listRows : '',
    row(
      'property',
      'Result to',
      textInput('property', usualProperty),
      'The message property that receives the result.',
    ),
  ].join('');

/** The palette entry, the dialog and the help of an operation's node. */
export const operationPage = (operation: Operation): NodePage => ({
  type: nodeType(operation.id),
  definition: definition(operation),
  dialog: dialog(operation),
  help: operationHelp(operation),
});
