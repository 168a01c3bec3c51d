import Table, { type SaltcornField, type SaltcornTable } from '@saltcorn/data/models/table';
import {
  answerIn,
  type EventDefinition,
  isGiven,
  matcher,
  readAnswers,
  type Sentence,
  sentence,
  sorted,
  TelephonyError,
  waitingReply,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { checkTyped, inputOf } from '../action/action-input.ts';
import { type ActionResult, reported } from '../action/action-result.ts';
import { assertFilledInByBuilder } from '../action/filled-in-by-builder.ts';
import { withJoinedRows } from '../action/joined-rows.ts';
import { onSave } from '../action/on-save.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import { requestOf } from '../action/visitor.ts';
import { tableOf } from '../bulk/chosen-rows.ts';
import { columnsOf, typeOf } from '../bulk/columns-of.ts';
import { formulaOnSave, readFormula } from '../bulk/formula.ts';
import { rowsField, shownTable, tableField } from '../bulk/rows-fields.ts';
import { rowsWithNumber } from '../data-source/key-values.ts';
import { numberKey, textColumns } from '../data-source/keys.ts';
import { phoneForm } from '../data-source/read-rows.ts';
import type { FormField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { translated } from '../translated.ts';
import { withoutSubSelects } from '../where/sub-select.ts';
import type { Row } from '../where/where.ts';
import { replyIdIn } from './reply-action.ts';

/** An event with what someone wrote or said. */
type AnsweredEvent = EventDefinition & { answer: NonNullable<EventDefinition['answer']> };

export const isAnswered = (event: EventDefinition): event is AnsweredEvent =>
  event.answer !== undefined;

/** The name of the action. The list of actions doesn't show the event. */
export const answerName = ({ name }: EventDefinition): string => `Update a row: ${name}`;

/** The columns with phone numbers, such as `phone`, or `patient.phone` of the row that a key refers to. */
const numberColumns = (table: SaltcornTable): string[] => {
  const own = (one: SaltcornTable) => textColumns(one).map((column) => column.split('.').at(-1));
  return [
    ...own(table),
    ...table.fields.flatMap(({ name, reftable_name }) => {
      const other = reftable_name ? Table.findOne({ name: reftable_name }) : undefined;
      return (other ? own(other) : []).map((column) => `${name}.${column}`);
    }),
  ].filter((name) => name !== undefined);
};

const canSet = (field: SaltcornField) =>
  !field.calculated && !field.primary_key && typeOf(field) !== 'key';

const namesOf = (fields: SaltcornField[]) => fields.map(({ name }) => name);

/** A field that offers columns of the chosen table. */
const columnField = (
  tables: SaltcornTable[],
  [name, label, sublabel]: [name: string, label: string, sublabel: string],
  columns: (table: SaltcornTable) => string[],
): FormField =>
  rowsField(name, label, translated(sublabel), {
    type: 'String',
    attributes: {
      calcOptions: [
        shownTable,
        Object.fromEntries(tables.map((one) => [one.name, ['', ...columns(one)]])),
      ],
    },
  });

/** @param checkReply checks the text of a reply */
async function formFields(checkReply: (text: unknown) => void): Promise<FormField[]> {
  const tables = (await Table.find({}, { cached: true })).filter(
    ({ provider_name, external }) => !provider_name && !external,
  );
  const column = columnField.bind(undefined, tables);
  return [
    tableField(tables),
    column(
      ['rows_number', 'Number column', "Finds the row that has the sender's number."],
      numberColumns,
    ),
    column(['rows_set', 'Set column', 'The column that gets the value.'], ({ fields }) =>
      namesOf(fields.filter(canSet)),
    ),
    rowsField(
      'rows_answers',
      'Answers',
      translated(
        'One on a line, such as {{example}}: what the sender writes, the value, and your reply. Words are found in any case. The value and the reply can be left out.',
        { example: '<code>YES, OK = true = Thank you, {{ name }}.</code>' },
      ),
      {
        ...{ input_type: 'textarea', required: true },
        ...onSave((typed) => {
          for (const { reply } of readAnswers(String(typed))) checkReply(reply);
        }),
      },
    ),
    rowsField(
      'rows_other',
      'Other value',
      translated('The value for any other text, or for several answers at once. Empty: none.'),
      { type: 'String' },
    ),
    rowsField('rows_other_reply', 'Other reply', translated('The reply to any other text.'), {
      ...{ type: 'String', ...onSave(checkReply) },
    }),
    rowsField(
      'rows_where',
      'Only where',
      translated('A formula as in a list, such as {{example}}, for the rows that may be set.', {
        example: '<code>time &gt;= today()</code>',
      }),
      { type: 'String', ...formulaOnSave('Only where') },
    ),
    column(
      [
        'rows_latest',
        'Latest by',
        'If several rows have the number, the one with the latest value of this column is set. Empty: the newest row.',
      ],
      ({ fields }) => namesOf(fields.filter((field) => typeOf(field) === 'date')),
    ),
  ];
}

const refused = (said: Sentence) => new TelephonyError('input', said);

/** The text of a field that must not be empty. */
function chosen(configuration: Row, name: string, label: string): string {
  const value = String(configuration[name] ?? '').trim();
  if (value) return value;
  throw refused(sentence('“{label}” is empty. Choose one.', { label: { text: label } }));
}

/** Finds the row that belongs to a number; undefined if there is none. */
async function rowOf(
  table: SaltcornTable,
  number: unknown,
  account: Account,
  { row, configuration = {} }: RunArguments,
): Promise<Row | undefined> {
  const clean = await phoneForm(account);
  const wanted = clean(String(number ?? '').trim());
  if (!wanted) return undefined;
  const path = chosen(configuration, 'rows_number', 'Number column').split('.');
  const [key, behind] = path.length > 1 ? path : [undefined, path[0]];
  const other = key ? table.fields.find(({ name }) => name === key)?.reftable_name : table.name;
  const found = await rowsWithNumber(numberKey('number', `${other}.${behind}`), wanted, clean);
  const keys = found.map((one) => one[(key ? tableOf(String(other)) : table).pk_name]);
  const rows = key ? await table.getRows({ [key]: { in: keys } }) : found;
  const columns = columnsOf(table);
  const formula = String(configuration.rows_where ?? '').trim();
  const { condition } = formula ? readFormula(formula, table, columns, { row }) : {};
  const fits = condition
    ? matcher(await withoutSubSelects(condition, columns), columns)
    : () => true;
  const by = String(configuration.rows_latest || table.pk_name);
  const order = [by, table.pk_name].map((column) => ({ column, isDescending: true }));
  const isFilled = (one: Row) => isGiven(one[by]);
  const fitting = rows.filter(fits);
  return sorted(fitting.some(isFilled) ? fitting.filter(isFilled) : fitting, order)[0];
}

const booleans: Record<string, boolean> = { true: true, false: false };

/** Converts a value to the type of its column. */
function valueFor(field: SaltcornField, text: string): unknown {
  const isBoolean = typeof field.type === 'object' && field.type.name === 'Bool';
  const type = typeOf(field);
  const isNumber = type === 'integer' || type === 'number';
  const ofDate = text.toLowerCase() === 'now' ? new Date() : new Date(text);
  const value = isBoolean
    ? booleans[text.toLowerCase()]
    : { date: ofDate, integer: Number(text), number: Number(text) }[String(type)];
  if (!isBoolean && !isNumber && type !== 'date') return text;
  if (value !== undefined && !Number.isNaN(Number(value))) return value;
  const example = isBoolean ? 'true' : isNumber ? '1' : 'now';
  throw refused(
    sentence('“{value}” is no value of the column “{column}”. Write it like {example}.', {
      ...{ value: text, column: field.name, example },
    }),
  );
}

/** Sets the value of a column, and returns the row with it. */
async function withValue(table: SaltcornTable, row: Row, column: string, text: string) {
  const field = table.fields.filter(canSet).find(({ name }) => name === column);
  if (!field)
    throw refused(sentence('“{table}” has no column “{column}”.', { table: table.name, column }));
  const changes = { [column]: valueFor(field, text) };
  const problem = await table.updateRow(changes, row[table.pk_name]);
  if (problem) throw new TelephonyError('input', problem);
  return { ...row, ...changes };
}

/**
 * Creates the Saltcorn action that records an answer in the row of who gave it, and replies. Numbers without a row get no reply, so that
 * strangers can't make the account send messages.
 *
 * @param event the event with the answer
 * @param account the account that receives the event
 * @param namespace the action's heading in the builder
 */
export function answerAction(event: AnsweredEvent, account: Account, namespace: string) {
  const name = answerName(event);
  const [reply] = event.replies ?? [];
  const field = reply?.fields[0];
  const checkReply = (text: unknown) =>
    reply && field && checkTyped(reply, field, account.configuration, text);
  async function answer(run: RunArguments): Promise<ActionResult> {
    const { row: record = {}, configuration = {} } = run;
    assertMayRun({ name }, account.configuration, requestOf(run));
    assertFilledInByBuilder(run);
    const answers = readAnswers(chosen(configuration, 'rows_answers', 'Answers'));
    const column = chosen(configuration, 'rows_set', 'Set column');
    const table = tableOf(String(configuration.rows_table ?? ''));
    const { by, texts } = event.answer;
    const text = texts.map((key) => String(record[key] ?? '')).find((one) => one.trim()) ?? '';
    const row = await rowOf(table, record[by], account, run);
    if (!row) return {};
    const found = answerIn(answers, text) ?? {
      value: String(configuration.rows_other ?? '').trim(),
      reply: String(configuration.rows_other_reply ?? '').trim(),
    };
    const set = found.value ? await withValue(table, row, column, found.value) : row;
    if (!found.reply || !reply || !field) return {};
    const replying = { name, fields: [field] };
    const ofRow = { row: set, table, configuration: { [field.key]: found.reply } };
    const args = await withJoinedRows(replying, ofRow);
    const input = inputOf(replying, account.configuration, args);
    await waitingReply(replyIdIn([event], record) ?? '').reply(reply.id, input);
    return {};
  }
  return {
    namespace,
    get description() {
      return translated(
        'Use it in triggers of “{{event}}”. Finds the row with the number, records the answer there and replies.',
        { event: event.name },
      );
    },
    requireRow: false,
    // A button has no event.
    disableInBuilder: true,
    configFields: () => formFields(checkReply),
    run: (run: RunArguments): Promise<ActionResult> =>
      answer(run).catch((error) => {
        throw reported(name, error);
      }),
  };
}
