import {
  type Action,
  definitions,
  type Field,
  fieldTypes,
  isFilter,
  isSmsText,
  type Operation,
  secretKeys,
} from '../../../src/builder.ts';
import { choicesPath } from '../choices/choices-route.ts';
import { elsewhere, fieldProperties } from '../node/field-properties.ts';
import { messageProperty } from '../node/message-property.ts';
import { accountType, nodeType } from '../node/node-type.ts';
import { usualProperty } from '../node/result-property.ts';
import type { TypedInputType } from './browser.ts';
import type { ChoicesSource } from './choices.ts';
import { type NodePage, namesOf, toScript } from './html.ts';
import { actionIcon, fieldIcon } from './icons.ts';
import { actionHelp } from './operation-help.ts';
import { accountRow, lineBelow, nameRow, onAdd, row, textInput } from './rows.ts';
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
export const typedBy = (type: Field['type']) =>
  fieldTypes[type].holds === 'integer' ? 'num' : 'str';

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
export const isWritten = ({ required, multiline }: Field) =>
  required === true && multiline === true;

/** @param isOptional whether the message or the account can supply it */
export const checkOf = (field: Field, isOptional = false) => {
  const { label, required, type, minimum, maximum, maxLength, maxValues } = field;
  const isRequired = required === true && !isOptional;
  return { label, type, minimum, maximum, maxLength, maxValues, isRequired };
};

/** The node properties that store an input. */
function inputDefaults(field: Field, action: Action): string {
  const { value, type } = fieldProperties(field.key);
  const [text, typed] = isWritten(field) ? ['payload', 'msg'] : ['', typedBy(field.type)];
  const check = checkOf(field, messageProperty(action, field) !== undefined);
  return `
    ${value}: { value: '${text}', validate: telephonyNodes.validInput(${toScript(type)}, ${toScript(check)}) },
    ${type}: { value: '${typed}' },`;
}

/** The colour of an operation's node. */
export const colors = { GET: '#a9dbd2', POST: '#f0c794', DELETE: '#e8a3a3' };

const definition = (action: Action) => `{
  category: ${toScript(definitions.manifest.id)},
  color: '${colors[action.request.method]}',
  icon: '${actionIcon(action)}',
  inputs: 1,
  outputs: 1,
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${action.fields.map((field) => inputDefaults(field, action)).join('')}
    property: { value: '${usualProperty}', validate: telephonyNodes.validProperty },
  },
  ${namesOf(action.name)}
  ${onAdd}
  oneditprepare: function () {
    telephonyNodes.prepareInputs(${toScript(action.fields.map((field) => inputField(field, action)))}, ${toScript(choicesSource)});
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

/** The row for the message property that receives the result. */
export const resultRow = row(
  'property',
  'Result to',
  'sign-out',
  textInput('property', usualProperty),
  'The message property that receives the result.',
);

const dialog = (action: Action) =>
  [
    nameRow(action.name),
    accountRow,
    ...action.fields.map((field) => inputRow(field, messageProperty(action, field))),
    resultRow,
  ].join('');

/** The palette entry, the dialog and the help of an action's node. */
export const actionPage = (action: Action): NodePage => ({
  type: nodeType(action.id),
  definition: definition(action),
  dialog: dialog(action),
  help: (t) => actionHelp(action, t),
});
