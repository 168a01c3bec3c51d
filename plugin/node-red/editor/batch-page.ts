import { type Action, definitions } from '../../../src/builder.ts';
import { outputs } from '../batch/batch-message.ts';
import { batchName, batchType } from '../batch/batch-node.ts';
import { usualLimit } from '../data-source/record-limit.ts';
import { accountType } from '../node/node-type.ts';
import { batchHelp } from './batch-help.ts';
import { type NodePage, toScript } from './html.ts';
import { choicesSource, inputDefaults, inputField, inputRow, kinds } from './operation-page.ts';
import { accountRow, nameRow, row, textInput } from './rows.ts';

type ActionField = Action['fields'][number];

/** A value that is needed is a property of the row at first; the account can say who sends. */
const ofRow = ({ key, required, purpose }: ActionField) =>
  required === true && purpose !== 'sender' && `payload.${key}`;

const [usualKey, usualRowName] = ['id', 'name'];

const definition = (action: Action) => `{
  category: ${toScript(definitions.manifest.id)},
  color: '${kinds.POST.color}',
  icon: '${kinds.POST.icon}',
  inputs: 1,
  outputs: ${outputs.length},
  outputLabels: ${toScript(outputs)},
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${action.fields.map((field) => inputDefaults(field, ofRow(field), field.purpose === 'sender')).join('')}
    rowKey: { value: '${usualKey}' },
    rowName: { value: '${usualRowName}' },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },
  },
  paletteLabel: ${toScript(batchName(action))},
  label: function () { return this.name || ${toScript(batchName(action))}; },
  labelStyle: function () { return this.name ? 'node_label_italic' : ''; },
  oneditprepare: function () { telephonyNodes.prepareInputs(${toScript(action.fields.map((field) => inputField(field, action)))}, ${toScript(choicesSource)}); },
}`;

const rowRows = [
  row(
    'rowKey',
    'Row key',
    textInput('rowKey', usualKey),
    'The property of a row that identifies it, so that a row is recognized when its text has changed.',
  ),
  row(
    'rowName',
    'Row name',
    textInput('rowName', usualRowName),
    'The property of a row that names it in previews and results.',
  ),
  row(
    'limit',
    'At most',
    textInput('limit', usualLimit),
    'If a message has more rows, nothing is sent.',
  ),
].join('');

/** The palette entry, the dialog and the help of the node of an action for each row. */
export const batchPage = (action: Action): NodePage => ({
  type: batchType(action),
  definition: definition(action),
  dialog: [
    nameRow(batchName(action)),
    accountRow,
    '<p>In these fields, <code>msg.payload</code> is the row.</p>',
    ...action.fields.map((field) => inputRow(field)),
    rowRows,
  ].join(''),
  help: batchHelp(action),
});
