import { Form } from 'antd';
import {
  type Field,
  isAction,
  isList,
  isSmsText,
  type Operation,
  operations,
} from '../../../../src/builder.ts';
import type { ChoicesAnswer } from '../../choices-answer.ts';
import { instructionType } from '../../workflow-types.ts';
import { SmsText } from '../action/sms-text.ts';
import { ChoicePicker } from '../choices/choice-picker.ts';
import { choicesOf } from '../choices/use-choices.ts';
import { type Host, h, type Translate, translator } from '../host.ts';
import { accountItem } from './account-item.ts';
import { recordVariable, type VariableOptions } from './record-variables.ts';
import { replyNode } from './reply-node.ts';
import { workflowParts } from './workflow-parts.ts';

interface Workflow {
  registerInstruction(type: string, instruction: unknown): void;
}

interface WorkflowNode {
  key: string;
  title: string;
}

interface NodeNumbersProps {
  t: Translate;
  control: unknown;
  choices(account: unknown): Promise<ChoicesAnswer>;
}

/** What offers the numbers of the account that a node's form names. */
function NodeNumbers({ choices, ...props }: NodeNumbersProps) {
  const form = Form.useFormInstance();
  const load = () => choices(form.getFieldValue(['config', 'account']) ?? undefined);
  return h(ChoicePicker, { ...props, load });
}

/** The node of an operation in workflows: its form, and what the nodes that follow can use of its answer. */
function operationNode(host: Host, operation: Operation) {
  const t = translator(host);
  const { name, description, fields, result } = operation;

  const FieldsetLoader = async () => {
    const { WorkflowVariableInput, WorkflowVariableTextArea } = await workflowParts(host);
    const control = (field: Field) => {
      const { placeholder, multiline } = field;
      if (field.choices)
        return h(NodeNumbers, {
          ...{ t, placeholder, control: WorkflowVariableInput },
          choices: choicesOf(host, operation.id, field),
        });
      if (isSmsText(field))
        return h(SmsText, { control: WorkflowVariableTextArea, t, placeholder });
      return h(multiline ? WorkflowVariableTextArea : WorkflowVariableInput, { placeholder });
    };
    const items = fields.map((field) => {
      const { key, label, help, required, purpose } = field;
      const isNeeded = required === true && purpose !== 'sender';
      return h(
        Form.Item,
        {
          ...{ key, name: ['config', 'input', key], label: t(label), extra: help && t(help) },
          rules: [{ required: isNeeded, message: t('This field is required.') }],
        },
        control(field),
      );
    });
    const account = await accountItem(host);
    return { default: () => h('div', null, items, account) };
  };

  return {
    type: instructionType(operation),
    title: t(name),
    description: t(description),
    group: 'extended',
    fieldset: undefined,
    FieldsetLoader,
    createDefaultConfig: () => ({ input: {} }),
    isAvailable: () => true,
    useVariables: (node: WorkflowNode, options?: VariableOptions) => {
      const isOne = isAction(operation) || !isList(operation);
      return recordVariable(t, node, isOne ? result.of : undefined, options);
    },
  };
}

/** Registers a node for each operation, and one that replies, where workflows are on. */
export function registerInstructions(host: Host): void {
  const workflow = host.pm.get('workflow') as Workflow | undefined;
  const nodes = operations.map((operation) => operationNode(host, operation));
  for (const node of [...nodes, replyNode(host)]) {
    // The legacy shell takes nothing but what it can construct itself.
    workflow?.registerInstruction(node.type, function construct() {
      return node;
    });
  }
}
