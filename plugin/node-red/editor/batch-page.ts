import { type Action, batchActions, type Field } from '../../../src/builder.ts';
import { outputs } from '../batch/batch-message.ts';
import { batchName } from '../batch/batch-node.ts';
import { usualLimit } from '../data-source/record-limit.ts';
import { choiceTypes } from '../node/choice-node.ts';
import { accountType } from '../node/node-type.ts';
import { batchHelp } from './batch-help.ts';
import { keyOf } from './catalogue.ts';
import { choicePage } from './choice-page.ts';
import { toScript } from './html.ts';
import { actionIcon } from './icons.ts';
import { colors, inputField, inputRow, isWritten } from './operation-page.ts';
import { accountRow, row, shownText, textInput } from './rows.ts';

/** By default, a required value is a property of the row. The sender isn't, because the account can supply it. */
const ofRow = ({ key, required, purpose }: Field) =>
  required === true && purpose !== 'sender' && `payload.${key}`;

const [usualKey, usualRowName] = ['id', 'name'];

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
export const batchPage = choicePage<Action>({
  type: choiceTypes.rows,
  ...{ name: 'For each row', label: 'Action', icon: 'list' },
  all: batchActions,
  first: batchActions.find(({ fields }) => fields.some(isWritten)) as Action,
  nameOf: (action) => [
    batchName(action),
    (t) => t('__name__ for each row', { name: t(action.name) }),
  ],
  iconOf: actionIcon,
  look: `color: '${colors.POST}',
  inputs: 1,
  outputs: ${outputs.length},
  outputLabels: function (index) { return this._(${toScript(outputs.map((output) => keyOf(output)))}[index]); },`,
  defaults: `account: { value: '', type: '${accountType}', required: true },
    rowKey: { value: '${usualKey}' },
    rowName: { value: '${usualRowName}' },
    skipSent: { value: true },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },`,
  startOf: ofRow,
  isOptional: ({ purpose }) => purpose === 'sender',
  above: accountRow,
  inputOf: inputField,
  rowsOf: ({ fields }) =>
    shownText('In these fields, msg.payload is the row.', 'p') +
    fields.map((field) => inputRow(field)).join(''),
  below: rowRows,
  prepare: `
    telephonyNodes.prepareSkipSent(this);`,
  help: batchHelp,
});
