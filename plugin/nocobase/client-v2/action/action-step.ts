import { TextAreaWithContextSelector } from '@nocobase/client-v2';
import {
  ActionScene,
  defineAction,
  type FlowContext,
  tExpr,
  useFlowContext,
} from '@nocobase/flow-engine';
import {
  type Action,
  definitions,
  type Field,
  isMissing,
  isSmsText,
  questionOf,
  sayIn,
  timeWriter,
  withReadableTimes,
} from '../../../../src/builder.ts';
import { namespace } from '../../namespace.ts';
import { actionsResource } from '../../resources.ts';
import { accountChoices } from '../accounts.ts';
import { ChoicePicker } from '../choices/choice-picker.ts';
import { choicesOf } from '../choices/use-choices.ts';
import {
  type Host,
  h,
  readerOf,
  request,
  showProblem,
  type Translate,
  translator,
} from '../host.ts';
import { askForInput, type FormValues } from './ask-for-input.ts';
import { SmsText } from './sms-text.ts';
import { formFields, type Usable, usableRequest } from './usable.ts';

/** The server's response when an action succeeded. */
interface Done {
  record: Record<string, unknown>;
  /** The success message. */
  message: string;
}

/** The name of an action's step in event flows. */
export const stepName = ({ id }: Action) => `${definitions.manifest.id}.${id}`;

const { id: dataSourceType } = definitions.manifest;

/** Offers a field's values or, of the button's account, numbers. The account is its own, or else that of its block. */
function Choices({ host, operation, field, account, ...props }: ChoicesProps) {
  const context = useFlowContext();
  const load = () => choicesOf(host, operation, field)(account ?? accountOf(context));
  const t = translator(host);
  return h(ChoicePicker, { ...props, t, load, control: TextAreaWithContextSelector });
}

interface ChoicesProps {
  host: Host;
  operation: string;
  field: Field;
  /** The account chosen in the same form. */
  account?: string;
}

/** A field of a NocoBase form. */
interface FormField {
  query(path: string): { value(): unknown };
  setComponentProps(props: object): void;
}

const followAccount = (field: FormField) =>
  field.setComponentProps({ account: field.query('.account').value() });

/** The settings form of an action's button or step: texts, which can contain variables. */
export const settings = (host: Host, { id, fields }: Action) => {
  const t = translator(host);
  const text = (value: string) => tExpr(value, { ns: namespace });
  const component = (field: Field) => {
    if (isSmsText(field)) return { 'x-component': Sms };
    if (!field.choices && !field.options) return { 'x-component': TextAreaWithContextSelector };
    const FieldChoices = (props: object) => h(Choices, { ...props, host, operation: id, field });
    return { 'x-component': FieldChoices, 'x-reactions': followAccount };
  };
  const Sms = (props: object) => h(SmsText, { ...props, t, control: TextAreaWithContextSelector });
  return {
    ...Object.fromEntries(
      fields.map((field) => [
        field.key,
        {
          type: 'string',
          title: text(field.label),
          ...(field.help && { description: text(field.help) }),
          'x-decorator': 'FormItem',
          ...component(field),
          'x-component-props': { placeholder: field.placeholder, rows: field.multiline ? 3 : 1 },
        },
      ]),
    ),
    ask: {
      type: 'boolean',
      title: text('Ask for empty fields'),
      'x-decorator': 'FormItem',
      'x-component': 'Switch',
    },
  };
};

/** The account setting, if there are several accounts. */
export async function accountSetting(host: Host) {
  const accounts = await accountChoices(host);
  if (accounts.length < 2) return {};
  return {
    account: {
      type: 'string',
      title: tExpr('Account', { ns: namespace }),
      'x-decorator': 'FormItem',
      'x-component': 'Select',
      enum: accounts,
    },
  };
}

/** The account of the button's block, if it shows one. */
export function accountOf(context: FlowContext): string | undefined {
  const source = context.collection?.dataSource;
  return source?.options?.type === dataSourceType ? source.key : undefined;
}

/** The button's row. */
function rowOf({ collection, record }: FlowContext) {
  if (!collection || !record) return undefined;
  const { dataSourceKey, name } = collection;
  return {
    dataSource: dataSourceKey,
    collection: name,
    key: collection.getFilterByTK([record])[0],
  };
}

/** The records of the popups around a button, by the uids of the models that open them. */
export async function popupsOf({ popup }: FlowContext) {
  const popups = new Map<string, object>();
  for (let open = await popup; open; open = open.parent) {
    const { uid, resource } = open;
    const { dataSourceKey, collectionName, filterByTk } = resource ?? {};
    if (uid && collectionName)
      popups.set(uid, { dataSource: dataSourceKey, collection: collectionName, key: filterByTk });
  }
  return popups.size > 0 ? Object.fromEntries(popups) : undefined;
}

/**
 * Resolves the configured values of an action's fields. Also returns the first field whose variable has no value,
 * because that must not pass for an empty field.
 */
async function inputOf(host: Host, action: Action, context: FlowContext, typed: FormValues) {
  const { fields } = action;
  const filled: FormValues = Object(await context.resolveJsonTemplate(typed));
  const given = fields.filter(({ key }) => !isMissing(typed[key]));
  const values = given.map(({ key }) => [key, isMissing(filled[key]) ? '' : String(filled[key])]);
  const input: FormValues = Object.fromEntries(values);
  return {
    input: withReadableTimes(action, input, timeWriter(readerOf(host)), typed),
    empty: given.find(({ key }) => isMissing(filled[key])),
  };
}

/** The fields of the form that a button shows. If the user's rights can't be read, the server checks the input. */
export async function fieldsOf(host: Host, action: Action, account: unknown, typed: FormValues) {
  const usable = await request<Usable>(host, usableRequest).catch(() => ({}));
  return formFields(usable, action, account, (key) => !isMissing(typed[key]));
}

/** Reads the records of the button's block again: the action may have changed them. */
function refresh(context: FlowContext) {
  const { resource } = context.blockModel ?? {};
  if (!resource || accountOf(context) === undefined) return;
  resource.markDataSourceDirty?.();
  // The only record of a block may be gone. The lists around it are read when its popup is closed.
  if (resource.getSelectedRows) void resource.refresh?.().catch(() => {});
}

/** Shows the success message once per record: both clicks of a double click get the same result. */
function succeed(context: FlowContext, { message: content, record }: Done) {
  context.message.success({ key: JSON.stringify(record), content });
  refresh(context);
}

/** Asks the user whether to do what can't be undone. */
async function isConfirmed(t: Translate, action: Action, context: FlowContext, input: FormValues) {
  const question = questionOf(action, input);
  if (!question) return true;
  const content = sayIn(t)(question);
  const texts = { title: t(action.name), content, okText: t(action.name), cancelText: t('Cancel') };
  return context.modal.confirm({ ...texts, okButtonProps: { danger: true } });
}

/** Defines an action as a step of event flows. Its button runs it, too. */
export function actionStep(host: Host, action: Action) {
  const t = translator(host);
  const setUp = settings(host, action);
  return defineAction({
    name: stepName(action),
    title: tExpr(action.name, { ns: namespace }),
    scene: [ActionScene.DYNAMIC_EVENT_FLOW],
    sort: 1100,
    uiSchema: async () => ({ ...setUp, ...(await accountSetting(host)) }),
    defaultParams: { ask: true },
    useRawParams: true,
    handler: async (context, typed) => {
      const { input, empty } = await inputOf(host, action, context, typed);
      const account = typed.account ?? accountOf(context);
      const popups = await popupsOf(context);
      const send = (values: FormValues) =>
        request<Done>(host, `${actionsResource}:${action.id}`, {
          ...{ account, input: values, button: context.model?.uid },
          ...{ row: rowOf(context), popups, reader: readerOf(host) },
        });
      const fields = await fieldsOf(host, action, account, typed);
      const open = fields.filter(({ key }) => isMissing(input[key]));
      if (typed.ask !== false && open.length > 0 && !open.some(({ isFixed }) => isFixed)) {
        const choices = (field: Field) => choicesOf(host, action.id, field)(account);
        const isWanted = (values: FormValues) => isConfirmed(t, action, context, values);
        const done = await askForInput({
          ...{ action, fields, context, t, input, choices, send, isWanted },
        });
        if (!done) return context.exit();
        succeed(context, done);
        return done.record;
      }
      if (empty) {
        const values = { label: t(empty.label) };
        const text = t(
          '"{{label}}" has no value here. Enter one, or choose another variable.',
          values,
        );
        showProblem(context, new Error(text));
        return context.exit();
      }
      if (!(await isConfirmed(t, action, context, input))) return context.exit();
      try {
        const done = await send(input);
        succeed(context, done);
        return done.record;
      } catch (error) {
        showProblem(context, error);
        return context.exit();
      }
    },
  });
}
