import { Icon } from '@nocobase/client-v2';
import {
  definitions,
  isAction,
  isList,
  type Operation,
  replyForms,
} from '../../../../src/builder.ts';
import { translated } from '../../translated.ts';
import { instructionType } from '../../workflow-types.ts';
import { type Host, h, translator } from '../host.ts';
import { icon } from '../icon.ts';
import { accountItem } from './account-item.ts';
import { inputItems, nodeInput } from './input-items.ts';
import { recordVariable, type VariableOptions } from './record-variables.ts';
import { replyNode } from './reply-node.ts';

interface Workflow {
  registerInstruction(type: string, instruction: unknown): void;
  registerInstructionGroup?(key: string, group: { key: string; label: string }): void;
}

const { manifest, actions, dataSources } = definitions;

interface WorkflowNode {
  key: string;
  title: string;
}

/** The workflow node of an operation: its form, and the variables it gives later nodes. */
function operationNode(host: Host, operation: Operation) {
  const t = translator(host);
  const { name, description, fields, result } = operation;

  const FieldsetLoader = async () => {
    const items = await inputItems(host, fields, operation);
    const account = await accountItem(host);
    return { default: () => h('div', null, items(nodeInput), account) };
  };

  return {
    type: instructionType(operation),
    title: t(name),
    description: t(description),
    icon: h(Icon, { type: icon(operation) }),
    group: manifest.id,
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

/** Registers a node for each operation and each reply, if the workflow plugin is enabled. */
export function registerInstructions(host: Host): void {
  const workflow = host.pm.get('workflow') as Workflow | undefined;
  const label = translated(manifest.name);
  workflow?.registerInstructionGroup?.(manifest.id, { key: manifest.id, label });
  const nodeOf = (operation: Operation) => operationNode(host, operation);
  const replies = replyForms.map((reply) => replyNode(host, reply));
  for (const node of [...actions.map(nodeOf), ...replies, ...dataSources.map(nodeOf)]) {
    // The legacy shell accepts only constructors.
    workflow?.registerInstruction(node.type, function construct() {
      return node;
    });
  }
}
