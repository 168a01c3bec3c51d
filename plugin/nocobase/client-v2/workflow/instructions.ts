import {
  isAction,
  isList,
  type Operation,
  operations,
  replyForms,
} from '../../../../src/builder.ts';
import { instructionType } from '../../workflow-types.ts';
import { type Host, h, translator } from '../host.ts';
import { accountItem } from './account-item.ts';
import { inputItems } from './input-items.ts';
import { recordVariable, type VariableOptions } from './record-variables.ts';
import { replyNode } from './reply-node.ts';

interface Workflow {
  registerInstruction(type: string, instruction: unknown): void;
}

interface WorkflowNode {
  key: string;
  title: string;
}

/** The node of an operation in workflows: its form, and what the nodes that follow can use of its answer. */
function operationNode(host: Host, operation: Operation) {
  const t = translator(host);
  const { name, description, fields, result } = operation;

  const FieldsetLoader = async () => {
    const items = await inputItems(host, fields, operation);
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

/** Registers a node for each operation and each reply, where workflows are on. */
export function registerInstructions(host: Host): void {
  const workflow = host.pm.get('workflow') as Workflow | undefined;
  const nodes = operations.map((operation) => operationNode(host, operation));
  const replies = replyForms.map((reply) => replyNode(host, reply));
  for (const node of [...nodes, ...replies]) {
    // The legacy shell takes nothing but what it can construct itself.
    workflow?.registerInstruction(node.type, function construct() {
      return node;
    });
  }
}
