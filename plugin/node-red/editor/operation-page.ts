import {
  definitions,
  type Field,
  fieldTypes,
  isAction,
  isFilter,
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
import { usualProperty } from '../node/result-property.ts';
import type { TypedInputType } from './browser.ts';
import type { ChoicesSource } from './choices.ts';
import { type NodePage, namesOf, toScript } from './html.ts';
import { fieldIcon, recordIcon } from './icons.ts';
import { operationHelp } from './operation-help.ts';
import { accountRow, lineBelow, nameRow, onAdd, row, shownText, textInput } from './rows.ts';
import type { InputField } from './script.ts';

/** @param empty the label for no choice; undefined if a choice is required */
const choose = (options: string[], empty: string | undefined): TypedInputType => ({
  value: 'str',
  label: 'choose',
  options: [...(empty === undefined ? [] : ['']), ...options].map((value) => ({
    value,
    label: value || String(empty),
  })),
});

/** Node-RED's name for the input of values of a type. */
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
 * The configuration of a dialog's input.
 *
 * @param operation the node's operation; undefined for a reply
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

/** Where dialogs load choices. */
export const choicesSource: ChoicesSource = {
  path: choicesPath,
  keys: definitions.settings.fields.map(({ key }) => key),
  secretKeys,
};

/** Whether a person writes the text. It then defaults to the payload, as in Node-RED's own nodes. */
const isWritten = ({ required, multiline }: Field) => required === true && multiline === true;

/**
 * The node properties that store an input.
 *
 * @param from the message property it defaults to; without one, it is empty
 * @param canBeEmpty whether the message or the account can supply it
 */
export const inputDefaults = (field: Field, from?: string | false, canBeEmpty = false) => {
  const { key, label, required, type: meaning, minimum, maximum, maxLength } = field;
  const { value, type } = fieldProperties(key);
  const [text, typed] = from ? [from, 'msg'] : ['', typedBy(meaning)];
  const isRequired = required === true && !canBeEmpty;
  const checked = { label, type: meaning, minimum, maximum, maxLength };
  const check = `telephonyNodes.validInput(${toScript(type)}, ${toScript(checked)}, ${isRequired})`;
  return `
    ${value}: { value: '${text}', validate: ${check} },
    ${type}: { value: '${typed}' },`;
};

const listDefaults = `
    output: { value: 'all' },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },`;

/** The colour of an operation's node. */
export const colors = { GET: '#a9dbd2', POST: '#f0c794', DELETE: '#e8a3a3' };

const definition = (operation: Operation) => `{
  category: ${toScript(definitions.manifest.id)},
  color: '${colors[operation.request.method]}',
  icon: '${recordIcon(operation.result.of)}',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${operation.fields.map((field) => inputDefaults(field, isAction(operation) && isWritten(field) && 'payload', messageProperty(operation, field) !== undefined)).join('')}${isList(operation) ? listDefaults : ''}
    property: { value: '${usualProperty}', validate: telephonyNodes.validProperty },
  },
  ${namesOf(operation.name)}
  ${onAdd}
  oneditprepare: function () {
    telephonyNodes.prepareInputs(${toScript(operation.fields.map((field) => inputField(field, operation)))}, ${toScript(choicesSource)});
    telephonyNodes.prepareProperty(${toScript(usualProperty)});
  },
}`;

/**
 * The dialog row of an input.
 *
 * @param property the message property used if the input is empty
 */
export function inputRow(field: Field, property?: string) {
  const { key, type, label, help, placeholder, default: value } = field;
  const properties = fieldProperties(key);
  const hidden = `<input type="hidden" id="node-input-${properties.type}">`;
  const empty = property && `msg.${property}`;
  const shown = textInput(properties.value, value ?? empty ?? placeholder);
  const count = isSmsText(field) ? lineBelow(countId(field)) : '';
  const choices = field.choices ? lineBelow(choicesId(field)) : '';
  return row(properties.value, label, fieldIcon(type), shown + hidden + count + choices, help);
}

const listRows = [
  row(
    'output',
    'Send',
    'files-o',
    `<select id="node-input-output" style="width: 70%">
    ${shownText('all records in one message', 'option', 'value="all"')}
    ${shownText('one message for each page', 'option', 'value="pages"')}
  </select>`,
  ),
  row(
    ...(['limit', 'Maximum rows', 'list-ol'] as const),
    textInput('limit', usualLimit),
    'The maximum number of records to read.',
  ),
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
      'sign-out',
      textInput('property', usualProperty),
      'The message property that receives the result.',
    ),
  ].join('');

/** The palette entry, the dialog and the help of an operation's node. */
export const operationPage = (operation: Operation): NodePage => ({
  type: nodeType(operation.id),
  definition: definition(operation),
  dialog: dialog(operation),
  help: (t) => operationHelp(operation, t),
});
