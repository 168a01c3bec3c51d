import {
  aboutValues,
  isAction,
  isPage,
  type Operation,
  operations,
  withSender,
} from '../../../../src/builder.ts';
import { instructionType } from '../../workflow-types.ts';
import type { Accounts } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { inputOf, type Processor, resultOf, type WorkflowNode } from './node.ts';

type NodeValues = Record<string, unknown>;

interface Work {
  typed: NodeValues;
  filled: NodeValues;
  /** Aborts when the workflow is stopped. */
  signal?: AbortSignal | undefined;
}

async function run(operation: Operation, accounts: Accounts, { typed, filled, signal }: Work) {
  const account = await accounts.get(filled.account);
  const input = inputOf(operation.fields, Object(typed.input ?? {}), Object(filled.input ?? {}));
  const telephony = account.telephony();
  // Don't abort an action in progress: its outcome would be unknown.
  if (isAction(operation))
    return telephony.run(operation.id, withSender(operation, account, input), {
      waitSignal: signal,
    });
  const found = await telephony.run(operation.id, input, { signal });
  return isPage(found) ? found.records : found;
}

/** The node's name in the log, with its numbers and identifiers. */
function named(operation: Operation, input: unknown): string {
  const about = aboutValues(operation, Object(input ?? {}));
  return `${operation.name}${about && ` (${about})`}`;
}

/** The workflow node of an operation. Later nodes can use its result. */
const operationInstruction = (operation: Operation, app: Application, accounts: Accounts) => ({
  run: async (
    node: WorkflowNode,
    _previous: unknown,
    processor: Processor,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    const filled = processor.getParsedValue(node.config, node.id);
    return resultOf(app, named(operation, filled.input), () =>
      run(operation, accounts, { typed: node.config, filled, signal }),
    );
  },
});

/** The workflow nodes of all operations, with their types. */
export const operationInstructions = (app: Application, accounts: Accounts) =>
  operations.map((operation) => ({
    type: instructionType(operation),
    instruction: operationInstruction(operation, app, accounts),
  }));
