import { type Action, definitions } from '../../../src/builder.ts';
import { outputs } from '../batch/batch-message.ts';
import { batchName, batchType } from '../batch/batch-node.ts';
import { usualLimit } from '../data-source/record-limit.ts';
import type { Translated } from '../locale/translate.ts';
import { accountType } from '../node/node-type.ts';
import { batchHelp } from './batch-help.ts';
import { keyOf } from './catalogue.ts';
import { type NodePage, namesOf, toScript } from './html.ts';
import { recordIcon } from './icons.ts';
import { choicesSource, colors, inputDefaults, inputField, inputRow } from './operation-page.ts';
import { accountRow, nameRow, onAdd, row, shownText, textInput } from './rows.ts';

type ActionField = Action['fields'][number];

/** By default, a required value is a property of the row. The sender isn't, because the account can supply it. */
const ofRow = ({ key, required, purpose }: ActionField) =>
  required === true && purpose !== 'sender' && `payload.${key}`;

const [usualKey, usualRowName] = ['id', 'name'];

const batchNameIn =
  ({ name }: Action): Translated =>
  (t) =>
    t('__name__ for each row', { name: t(name) });

const definition = (action: Action) => `{
  category: ${toScript(definitions.manifest.id)},
  color: '${colors.POST}',
  icon: '${recordIcon(action.result.of)}',
  inputs: 1,
  outputs: ${outputs.length},
  outputLabels: function (index) { return this._(${toScript(outputs.map((output) => keyOf(output)))}[index]); },
  defaults: {
    name: { value: '' },
    account: { value: '', type: '${accountType}', required: true },${action.fields.map((field) => inputDefaults(field, ofRow(field), field.purpose === 'sender')).join('')}
    rowKey: { value: '${usualKey}' },
    rowName: { value: '${usualRowName}' },
    skipSent: { value: true },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },
  },
  ${namesOf(batchName(action), batchNameIn(action))}
  ${onAdd}
  oneditprepare: function () {
    telephonyNodes.prepareSkipSent(this);
    telephonyNodes.prepareInputs(${toScript(action.fields.map((field) => inputField(field, action)))}, ${toScript(choicesSource)});
  },
}`;

const rowRows = [
  row(
    'rowKey',
    'Row key',
    'key',
    textInput('rowKey', usualKey),
    'The property that identifies a row, even if its text changes.',
  ),
  row(
    'rowName',
    'Row name',
    'user-o',
    textInput('rowName', usualRowName),
    'The property of a row that names it in previews and results.',
  ),
  row(
    'skipSent',
    'Skip sent',
    'check-square-o',
    `<input type="checkbox" id="node-input-skipSent" style="width: auto; vertical-align: top">
  ${shownText('rows that already got the same text')}`,
    'Skips rows that already got the same text from an earlier batch, even one that has ended.',
  ),
  row(
    'limit',
    'Maximum rows',
    'list-ol',
    textInput('limit', usualLimit),
    'If a message has more rows, nothing is sent.',
  ),
].join('');

/** The palette entry, the dialog and the help of the node that runs an action for each row. */
export const batchPage = (action: Action): NodePage => ({
  type: batchType(action),
  definition: definition(action),
  dialog: [
    nameRow(batchName(action)),
    accountRow,
    shownText('In these fields, msg.payload is the row.', 'p'),
    ...action.fields.map((field) => inputRow(field)),
    rowRows,
  ].join(''),
  help: (t) => batchHelp(action, t),
});
