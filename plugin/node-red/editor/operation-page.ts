import {
  definitions,
  type Field,
  fieldTypes,
  isAction,
  isList,
  isSmsText,
  type Operation,
  secretKeys,
} from '../../../src/builder.ts';
import { choicesPath } from '../choices/choices-route.ts';
import { usualLimit } from '../data-source/record-limit.ts';
import { elsewhere, fieldProperties } from '../node/field-properties.ts';
import { messageProperty } from '../node/message-property.ts';
import { accountType, nodeType } from '../node/node-type.ts';
import { isFilter } from '../node/read-input.ts';
import { usualProperty } from '../node/result-property.ts';
import type { TypedInputType } from './browser.ts';
import type { ChoicesSource } from './choices.ts';
import { type NodePage, toScript } from './html.ts';
import { operationHelp } from './operation-help.ts';
import { accountRow, nameRow, row, textInput } from './rows.ts';
import type { InputField } from './script.ts';

/** @param empty what it is called that nothing is chosen; undefined if something must be */
const choose = (options: string[], empty: string | undefined): TypedInputType => ({
  value: 'str',
  label: 'choose',
  options: [...(empty === undefined ? [] : ['']), ...options].map((value) => ({
    value,
    label: value || String(empty),
  })),
});

/** What Node-RED calls the input that values of a type are typed into. */
const typedBy = (type: Field['type']) => (fieldTypes[type].holds === 'integer' ? 'num' : 'str');

function ownType(field: Field, operation: Operation | undefined) {
  const { type, options, required } = field;
  const empty = operation && isFilter(operation, field) ? 'any' : 'default';
  if (options) return choose(options, required ? undefined : empty);
  return typedBy(type);
}

const countId = ({ key }: Field) => `telephony-count-${key}`;
const choicesId = ({ key }: Field) => `telephony-choices-${key}`;

/**
 * An input of a dialog.
 *
 * @param operation whose input it is; undefined for a reply
 */
export const inputField = (field: Field, operation?: Operation): InputField => ({
  ...fieldProperties(field.key),
  types: [ownType(field, operation), ...elsewhere],
  ...(isSmsText(field) && { count: countId(field) }),
  ...(operation &&
    field.choices && {
      choices: { hint: choicesId(field), operation: operation.id, field: field.key },
    }),
});

/** Where a dialog gets choices from. */
export const choicesSource: ChoicesSource = {
  path: choicesPath,
  keys: definitions.settings.fields.map(({ key }) => key),
  secretKeys,
};

/** Whether someone writes it: then it comes in as the payload, as it does in Node-RED's own nodes. */
export const isWritten = ({ required, multiline }: Field) =>
  required === true && multiline === true;

/**
 * The properties of a node that hold an input.
 *
 * @param from the property of the message that it is at first; empty at first without one
 * @param canBeEmpty whether the message or the account can have it instead
 */
export const inputDefaults = (field: Field, from?: string | false, canBeEmpty = false) => {
  const { key, label, required, type: meaning } = field;
  const { value, type } = fieldProperties(key);
  const [text, typed] = from ? [from, 'msg'] : ['', typedBy(meaning)];
  const isRequired = required === true && !canBeEmpty;
  const check = `telephonyNodes.validInput(${toScript(type)}, ${toScript(label)}, ${isRequired})`;
  return `
    ${value}: { value: '${text}', validate: ${check} },
    ${type}: { value: '${typed}' },`;
};

const listDefaults = `
    output: { value: 'all' },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },`;

/** How the node of an operation looks. */
export const kinds = {
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
    account: { value: '', type: '${accountType}', required: true },${operation.fields.map((field) => inputDefaults(field, isAction(operation) && isWritten(field) && 'payload', messageProperty(operation, field) !== undefined)).join('')}${isList(operation) ? listDefaults : ''}
    property: { value: '${usualProperty}', validate: telephonyNodes.validProperty },
  },
  paletteLabel: ${toScript(operation.name)},
  label: function () { return this.name || ${toScript(operation.name)}; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  oneditprepare: function () {
    telephonyNodes.prepareInputs(${toScript(operation.fields.map((field) => inputField(field, operation)))}, ${toScript(choicesSource)});
    telephonyNodes.prepareProperty(${toScript(usualProperty)});
  },
}`;

/** A line below an input for what is said of its value. */
export const lineBelow = (id: string) =>
  `<div id="${id}" role="status" style="margin-left: 104px; opacity: 0.7"></div>`;

/**
 * The row of a dialog for an input.
 *
 * @param property the property of a message that it is taken from when it is empty
 */
export function inputRow(field: Field, property?: string) {
  const { key, label, help, placeholder, default: value } = field;
  const properties = fieldProperties(key);
  const hidden = `<input type="hidden" id="node-input-${properties.type}">`;
  const empty = property && `msg.${property}`;
  const shown = textInput(properties.value, value ?? empty ?? placeholder);
  const count = isSmsText(field) ? lineBelow(countId(field)) : '';
  const choices = field.choices ? lineBelow(choicesId(field)) : '';
  return row(properties.value, label, shown + hidden + count + choices, help);
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
    ...operation.fields.map((field) => inputRow(field, messageProperty(operation, field))),
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
