import { Form, Input } from 'antd';
import {
  definitions,
  isAction,
  isList,
  type Operation,
  operations,
  recordShape,
} from '../../../../src/index.ts';
import { instructionType } from '../../instruction-type.ts';
import { type Host, h, translator } from '../host.ts';

interface Workflow {
  registerInstruction(type: string, instruction: unknown): void;
}

interface WorkflowParts {
  WorkflowVariableInput: unknown;
}

interface WorkflowNode {
  key: string;
  title: string;
}

interface FieldNames {
  value?: string;
  label?: string;
  children?: string;
}

/** Loads what workflows draw forms with, when a form is opened: where workflows are off, it is not there. */
const workflowParts = ({ requirejs }: Host) =>
  new Promise<WorkflowParts>((resolve, reject) => {
    requirejs.requirejs(
      ['@nocobase/plugin-workflow/client-v2'],
      (parts) => resolve(parts as WorkflowParts),
      reject,
    );
  });

/** The node of an operation in workflows: its form, and what the nodes that follow can use of its answer. */
function operationNode(host: Host, operation: Operation) {
  const t = translator(host);
  const { name, description, fields, result } = operation;

  const FieldsetLoader = async () => {
    const { WorkflowVariableInput } = await workflowParts(host);
    const items = fields.map(({ key, label, help, placeholder }) =>
      h(
        Form.Item,
        { key, name: ['config', 'input', key], label: t(label), extra: help && t(help) },
        h(WorkflowVariableInput, { placeholder }),
      ),
    );
    const account = h(
      Form.Item,
      {
        key: 'account',
        name: ['config', 'account'],
        label: t('Account'),
        extra: t('The key of its data source; not needed where there is one account only.'),
      },
      h(Input, { placeholder: definitions.manifest.id }),
    );
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
    useVariables: ({ key, title }: WorkflowNode, options: { fieldNames?: FieldNames } = {}) => {
      const { value = 'value', label = 'label', children = 'children' } = options.fieldNames ?? {};
      const isOne = isAction(operation) || !isList(operation);
      return {
        [value]: key,
        [label]: title,
        [children]: isOne
          ? recordShape(result.of).fields.map((field) => ({
              [value]: field.key,
              [label]: t(field.label),
            }))
          : null,
      };
    },
  };
}

/** Registers a node for each operation, where workflows are on. */
export function registerInstructions(host: Host): void {
  const workflow = host.pm.get('workflow') as Workflow | undefined;
  for (const operation of operations) {
    // The legacy shell takes nothing but what it can construct itself.
    const node = operationNode(host, operation);
    workflow?.registerInstruction(node.type, function construct() {
      return node;
    });
  }
}
