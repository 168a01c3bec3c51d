import {
  type DataSource,
  definitions,
  isFilter,
  isList,
  recordShape,
  requestOf,
} from '../../../src/builder.ts';
import { usualLimit } from '../data-source/record-limit.ts';
import type { Translate } from '../locale/translate.ts';
import { choiceTypes } from '../node/choice-node.ts';
import { accountType } from '../node/node-type.ts';
import { usualProperty } from '../node/result-property.ts';
import { choicePage, choicesHelp } from './choice-page.ts';
import { recordIcon } from './icons.ts';
import {
  entry,
  errorDetails,
  heading,
  inputEntry,
  inputProperties,
  inputs,
  list,
  paragraphs,
  recordHelp,
  references,
  resultEntry,
} from './operation-help.ts';
import { colors, inputField, inputRow, resultRow } from './operation-page.ts';
import { accountRow, row, shownText, textInput } from './rows.ts';

const { dataSources } = definitions;
const [everything] = dataSources.filter(
  (one) => isList(one) && one.fields.every(({ required }) => !required),
);

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

function properties(t: Translate): string {
  const filters = dataSources.flatMap((one) => one.fields.filter((field) => isFilter(one, field)));
  const [first = '', second = ''] = filters.find(({ options }) => options)?.options ?? [];
  return inputProperties(
    t,
    [
      entry(t('Maximum rows'), 'number', t('The maximum number of records to read.'), true),
      resultEntry(t),
    ],
    [
      t('<code>*</code> means all.'),
      t('An expression can be a list of choices: <code>["__first__", "__second__"]</code>.', {
        first,
        second,
      }),
      t(
        "An expression can be a date: <code>$now('[Y]-[M01]-[D01]')</code> is today in UTC, and <code>$millis() - 7 * 86400000</code> a week ago.",
      ),
    ],
  );
}

const outputs = (t: Translate) => {
  const shapes = [...new Set(dataSources.map(({ result }) => result.of))].map(recordShape);
  return [
    heading(t, 'Outputs'),
    list([
      entry('payload', 'array', t('the records, newest first; or the only one, as an object')),
      entry('more', 'boolean', t('whether the account has more records')),
      entry('hint', 'string', t('why the list is empty, if a number lacks its country code'), true),
      entry('parts', 'object', t('with one message per page: its position, for a Join node'), true),
    ]),
    choicesHelp(t, shapes, (shape) => [recordHelp(t, shape)]),
  ].join('\n');
};

const help = (t: Translate) =>
  [
    `<p>${t('Reads a list or a record of the account.')}</p>`,
    inputs(t, []),
    properties(t),
    choicesHelp(t, dataSources, (source) => [
      list(source.fields.map((field) => inputEntry(t, field))),
      `<p>${t('The node sends <code>__request__</code> to the service, below the account.', { request: requestOf(source) })}</p>`,
    ]),
    outputs(t),
    heading(t, 'Details'),
    paragraphs(t, [
      ...errorDetails,
      'A deploy stops the node in the same way as <code>msg.stop</code>. The node reports each read that it stopped, in the log as well.',
    ]),
    references(t, ['errors', 'expressions']),
  ].join('\n');

/** The palette entry, the dialog and the help of the node that reads a data source. */
export const readPage = choicePage<DataSource>({
  type: choiceTypes.read,
  ...{ name: 'Read records', label: 'Records', icon: 'database' },
  all: dataSources,
  first: everything as DataSource,
  groupOf: ({ result }) => recordShape(result.of).name,
  iconOf: ({ result }) => recordIcon(result.of),
  look: `color: '${colors.GET}',
  inputs: 1,
  outputs: 1,`,
  defaults: `account: { value: '', type: '${accountType}', required: true },
    output: { value: 'all' },
    limit: { value: '${usualLimit}', validate: telephonyNodes.validLimit },
    property: { value: '${usualProperty}', validate: telephonyNodes.validProperty },`,
  above: accountRow,
  inputOf: inputField,
  rowsOf: (source) =>
    source.fields.map((field) => inputRow(field)).join('') + (isList(source) ? listRows : ''),
  below: resultRow,
  prepare: `
    telephonyNodes.prepareProperty('${usualProperty}');`,
  help,
});
