import { type Collection, defineAction, type FlowContext, tExpr } from '@nocobase/flow-engine';
import {
  type Action,
  type BatchPage,
  type BatchView,
  type Field,
  isMissing,
  maxBatchRows,
  numberText,
  type Part,
} from '../../../../src/builder.ts';
import { maxRowsOf, usualMaxRows } from '../../max-rows.ts';
import { namespace } from '../../namespace.ts';
import { runsResource } from '../../resources.ts';
import {
  accountOf,
  accountSetting,
  fieldsOf,
  popupsOf,
  settings,
  stepName,
} from '../action/action-step.ts';
import { askForInput, type FormValues } from '../action/ask-for-input.ts';
import { choicesOf } from '../choices/use-choices.ts';
import {
  download,
  type Host,
  readerOf,
  request,
  showProblem,
  type Translate,
  translator,
} from '../host.ts';
import { allRows, rowsOf } from './block-rows.ts';
import { showRun } from './run-dialog.ts';
import { isUnreadable, readTemplate } from './template.ts';

/** The name of an action's step for several rows. */
export const bulkStepName = (action: Action) => `${stepName(action)}.selected`;

/** The title of an action for several rows. */
export const bulkTitle = ({ name }: Action) =>
  `${tExpr(name, { ns: namespace })} ${tExpr('for several rows', { ns: namespace })}`;

const unreadable =
  '"{{label}}" uses a value that a batch can\'t read. Choose a column of this table, or of one record that it refers to.';

/** Refuses values that a batch can't read when someone saves them. */
const checked = (t: Translate, { fields }: Action, collection: Collection | undefined) =>
  Object.fromEntries(
    fields.map(({ key, label }) => [
      key,
      (value: unknown) =>
        isUnreadable(String(value ?? ''), collection) ? t(unreadable, { label: t(label) }) : '',
    ]),
  );

interface Filled {
  input: Record<string, Part[]>;
  problem?: string;
}

/** Resolves the configured values of an action's fields, except those of rows. */
async function filledIn({ fields }: Action, typed: FormValues, context: FlowContext, t: Translate) {
  const filled: Filled = { input: {} };
  for (const { key, label } of fields) {
    if (isMissing(typed[key])) continue;
    const parts = await readTemplate(String(typed[key]), context);
    if (typeof parts !== 'string') filled.input[key] = parts;
    else
      filled.problem ??= t(
        parts === 'missing'
          ? '"{{label}}" has no value here. Enter one, or choose another variable.'
          : unreadable,
        { label: t(label) },
      );
  }
  return filled;
}

const text = (value: string) => tExpr(value, { ns: namespace });

/** The settings for the rows of a batch. */
const rowsSettings = (t: Translate) => ({
  rows: {
    type: 'string',
    title: text('Rows'),
    'x-decorator': 'FormItem',
    'x-component': 'Radio.Group',
    enum: [
      { label: text('Selected'), value: 'selected' },
      { label: text("All that match the block's filters"), value: allRows },
    ],
  },
  maxRows: {
    type: 'number',
    title: text('Maximum rows'),
    description: t('If more rows match, nothing is sent. Up to {{most}}.', {
      most: numberText(maxBatchRows),
    }),
    'x-decorator': 'FormItem',
    'x-component': 'NumberPicker',
    'x-component-props': { min: 1, max: maxBatchRows, precision: 0 },
  },
});

/** Defines the step that runs an action for each row, after a preview. */
export function bulkStep(host: Host, action: Action) {
  const t = translator(host);
  const setUp = settings(host, action);
  const step = (name: string, values: object) =>
    request<BatchView>(host, `${runsResource}:${name}`, values);

  return defineAction({
    name: bulkStepName(action),
    title: bulkTitle(action),
    uiSchema: async ({ blockModel }: FlowContext) => {
      const validators = checked(t, action, blockModel?.collection);
      const fields = Object.entries(setUp).map(([key, schema]) => [
        key,
        { ...schema, 'x-validator': validators[key] },
      ]);
      return { ...rowsSettings(t), ...Object.fromEntries(fields), ...(await accountSetting(host)) };
    },
    defaultParams: { ask: true, rows: 'selected', maxRows: usualMaxRows },
    useRawParams: true,
    handler: async (context, typed) => {
      const { input, problem } = await filledIn(action, typed, context, t);
      const popups = await popupsOf(context);
      const account = typed.account ?? accountOf(context);
      const { collection } = context.blockModel ?? {};
      const block = { dataSource: collection?.dataSourceKey, collection: collection?.name };
      const place = { ...block, button: context.model?.uid, popups };
      const send = (rows: unknown[]) => (values: FormValues) => {
        const given = Object.entries(values).filter(([, value]) => !isMissing(value));
        const texts = given.map(([key, value]) => [key, [String(value)]]);
        const all = { ...input, ...Object.fromEntries(texts) };
        return step('preview', {
          ...{ action: action.id, account, ...place, rows, input: all },
          reader: readerOf(host),
        });
      };
      try {
        if (problem) throw new Error(problem);
        const rows = await rowsOf(context, typed.rows, maxRowsOf(typed), t);
        const fields = await fieldsOf(host, action, account, typed);
        const open = fields.filter(({ key }) => isMissing(typed[key]));
        const isToAsk = typed.ask !== false && open.length > 0 && rows.length > 0;
        const choices = (field: Field) => choicesOf(host, action.id, field)(account);
        const texts = { submit: t('Preview') };
        const question = { action, fields: open, context, t, input: {}, choices, ...texts };
        let preview = () => send(rows)({});
        const sendTyped = (values: FormValues) => {
          preview = () => send(rows)(values);
          return preview();
        };
        const run = isToAsk ? await askForInput({ ...question, send: sendTyped }) : await preview();
        const table = context.blockModel?.collection?.title ?? '';
        const stepOf = (name: string, key: string, more = {}) => step(name, { key, ...more });
        const remove = (key: string) => request(host, `${runsResource}:remove`, { key });
        const save = (key: string) => download(host, `${runsResource}:csv`, { key });
        const list = (key: string, choice: object) =>
          request<BatchPage>(host, `${runsResource}:list`, { key, ...choice });
        const dialog = { list, action, t, table, step: stepOf, preview, remove, download: save };
        if (run) await showRun({ ...dialog, run }, context);
      } catch (error) {
        showProblem(context, error);
      }
      return context.exit();
    },
  });
}
