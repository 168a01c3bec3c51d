import { defineAction, type FlowContext, tExpr } from '@nocobase/flow-engine';
import {
  type Action,
  type BatchView,
  type Field,
  isMissing,
  type Part,
} from '../../../../src/builder.ts';
import { namespace } from '../../namespace.ts';
import { runsResource } from '../../resources.ts';
import { accountOf, accountSetting, popupsOf, settings, stepName } from '../action/action-step.ts';
import { askForInput, type FormValues } from '../action/ask-for-input.ts';
import { choicesOf } from '../choices/use-choices.ts';
import { type Host, problemOf, request, type Translate, translator } from '../host.ts';
import { showRun } from './run-dialog.ts';
import { readTemplate } from './template.ts';

/** The name of an action's step for selected rows. */
export const bulkStepName = (action: Action) => `${stepName(action)}.selected`;

/** The title of an action for selected rows. */
export const bulkTitle = ({ name }: Action) =>
  `${tExpr(name, { ns: namespace })} ${tExpr('for selected rows', { ns: namespace })}`;

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
          : '"{{label}}" uses a variable of the row that is not one of its own columns. Choose a column of this table.',
        { label: t(label) },
      );
  }
  return filled;
}

/** The rows selected in the button's block. */
function selectionOf({ blockModel }: FlowContext) {
  const { collection, resource } = blockModel ?? {};
  return {
    dataSource: collection?.dataSourceKey,
    collection: collection?.name,
    rows: collection?.getFilterByTK(resource?.getSelectedRows?.() ?? []) ?? [],
  };
}

/** Defines the step that runs an action for each selected row, after a preview. */
export function bulkStep(host: Host, action: Action) {
  const t = translator(host);
  const setUp = settings(host, action);
  const step = (name: string, values: object) =>
    request<BatchView>(host, `${runsResource}:${name}`, values);

  return defineAction({
    name: bulkStepName(action),
    title: bulkTitle(action),
    uiSchema: async () => ({ ...setUp, ...(await accountSetting(host)) }),
    defaultParams: { ask: true },
    useRawParams: true,
    handler: async (context, typed) => {
      const { input, problem } = await filledIn(action, typed, context, t);
      const popups = await popupsOf(context);
      const selection = { ...selectionOf(context), button: context.model?.uid, popups };
      const account = typed.account ?? accountOf(context);
      const send = (values: FormValues) => {
        const given = Object.entries(values).filter(([, value]) => !isMissing(value));
        const texts = given.map(([key, value]) => [key, [String(value)]]);
        const all = { ...input, ...Object.fromEntries(texts) };
        return step('preview', { action: action.id, account, ...selection, input: all });
      };
      const open = action.fields.filter(({ key }) => isMissing(typed[key]));
      try {
        if (problem) throw new Error(problem);
        const isToAsk = typed.ask !== false && open.length > 0 && selection.rows.length > 0;
        const choices = (field: Field) => choicesOf(host, action.id, field)(account);
        const withOpenFields = { ...action, fields: open };
        const question = { action: withOpenFields, context, t, input: {}, choices, send };
        const run = isToAsk ? await askForInput(question) : await send({});
        const table = context.blockModel?.collection?.title ?? '';
        const stepOf = (name: string, key: string) => step(name, { key });
        const remove = (key: string) => request(host, `${runsResource}:remove`, { key });
        if (run) await showRun({ action, t, run, table, step: stepOf, remove }, context);
      } catch (error) {
        context.message.error(problemOf(error).message);
      }
      return context.exit();
    },
  });
}
