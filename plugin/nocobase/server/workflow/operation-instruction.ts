import {
  type Action,
  aboutValues,
  type Clicks,
  checkInput,
  isAction,
  isPage,
  type Operation,
  operations,
  recipientOf,
  type TelephonyRecord,
  withSender,
} from '../../../../src/builder.ts';
import { instructionType } from '../../workflow-types.ts';
import type { Account, Accounts } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { inputOf, type Processor, resultOf, type WorkflowNode } from './node.ts';

type NodeValues = Record<string, unknown>;

interface Work {
  typed: NodeValues;
  filled: NodeValues;
  /** Identifies the node's run in its execution. */
  step: unknown[];
  /** Aborts when the workflow is stopped. */
  signal?: AbortSignal | undefined;
}

/** The runs of actions, which NocoBase can repeat after a crash. */
export type Steps = Clicks<TelephonyRecord>;

/**
 * Runs an action once in its execution. After a crash, NocoBase repeats the nodes after the last one that paused. A query among them can
 * return other rows, so the recipient identifies a run, too.
 */
function runOnce(
  action: Action,
  account: Account,
  steps: Steps,
  input: NodeValues,
  { step, signal }: Work,
): Promise<TelephonyRecord> {
  const values = checkInput(action, withSender(action, account, input));
  const run = async () =>
    // Don't abort an action in progress: its outcome would be unknown.
    (await account.telephony().run(action.id, values, { waitSignal: signal })) as TelephonyRecord;
  return steps.once(JSON.stringify([...step, recipientOf(action, values)]), run, action.ifUnknown);
}

async function run(operation: Operation, accounts: Accounts, steps: Steps, work: Work) {
  const { typed, filled, signal } = work;
  const account = await accounts.get(filled.account);
  const input = inputOf(operation.fields, Object(typed.input ?? {}), Object(filled.input ?? {}));
  if (isAction(operation)) return runOnce(operation, account, steps, input, work);
  const found = await account.telephony().run(operation.id, input, { signal });
  return isPage(found) ? found.records : found;
}

/** Identifies a node's run in its execution, and the turns of the loops around it. */
const stepOf = ({ id }: WorkflowNode, processor: Processor): unknown[] => [
  processor.execution.id,
  id,
  Object.values(processor.getScope(id).$scopes).map(({ index }) => index),
];

/** The node's name in the log, with its numbers and identifiers. */
function named(operation: Operation, input: unknown): string {
  const about = aboutValues(operation, Object(input ?? {}));
  return `${operation.name}${about && ` (${about})`}`;
}

/** The workflow node of an operation. Later nodes can use its result. */
const operationInstruction = (
  operation: Operation,
  app: Application,
  accounts: Accounts,
  steps: Steps,
) => ({
  run: async (
    node: WorkflowNode,
    _previous: unknown,
    processor: Processor,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    const filled = processor.getParsedValue(node.config, node.id);
    return resultOf(app, named(operation, filled.input), () =>
      run(operation, accounts, steps, {
        ...{ typed: node.config, filled, step: stepOf(node, processor), signal },
      }),
    );
  },
});

/** The workflow nodes of all operations, with their types. */
export const operationInstructions = (app: Application, accounts: Accounts, steps: Steps) =>
  operations.map((operation) => ({
    type: instructionType(operation),
    instruction: operationInstruction(operation, app, accounts, steps),
  }));
