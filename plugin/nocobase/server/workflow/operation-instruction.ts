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
  type Store,
  type TelephonyRecord,
  withSender,
  workflowSteps,
} from '../../../../src/builder.ts';
import { instructionType } from '../../workflow-types.ts';
import type { Account, Accounts } from '../account/account.ts';
import { forSingleSends } from '../action/single-sends.ts';
import type { Application } from '../nocobase.ts';
import { withAppTimes } from '../time-reader.ts';
import { inputOf, type Processor, resultOf, type WorkflowNode } from './node.ts';

type NodeValues = Record<string, unknown>;

interface Work {
  typed: NodeValues;
  filled: NodeValues;
  /** Identifies the node's run in its execution. */
  step: unknown[];
  /** The lane of the node's actions. */
  lane: string;
  /** Aborts when the workflow is stopped. */
  signal?: AbortSignal | undefined;
}

/** What outlives a process: what was sent, and the nodes that NocoBase can repeat after a crash. */
interface Stored {
  store: Store;
  steps: Clicks<TelephonyRecord>;
}

/**
 * Runs an action once in its execution. After a crash, NocoBase repeats the nodes after the last one that paused. A query among them can
 * return other rows, so the recipient identifies a run, too.
 */
function runOnce(
  action: Action,
  account: Account,
  { store, steps }: Stored,
  input: NodeValues,
  { step, lane, signal }: Work,
): Promise<TelephonyRecord> {
  const values = checkInput(action, withSender(action, account, input));
  const telephony = forSingleSends(account, store);
  const run = async () => {
    // Don't abort an action in progress: its outcome would be unknown.
    const record = await telephony.run(action.id, values, { waitSignal: signal, lane });
    return record as TelephonyRecord;
  };
  const key = JSON.stringify([...step, recipientOf(action, values)]);
  return steps.once(key, run, { text: action.ifUnknown });
}

async function run(
  app: Application,
  operation: Operation,
  accounts: Accounts,
  stored: Stored,
  work: Work,
) {
  const { typed, filled, signal } = work;
  const account = await accounts.get(filled.account);
  const texts = Object(typed.input ?? {});
  const values = inputOf(operation.fields, texts, Object(filled.input ?? {}));
  const input = await withAppTimes(app, operation, values, texts);
  if (isAction(operation)) return runOnce(operation, account, stored, input, work);
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
  stored: Stored,
) => ({
  run: async (
    node: WorkflowNode,
    _previous: unknown,
    processor: Processor,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    const filled = processor.getParsedValue(node.config, node.id);
    return resultOf(app, named(operation, filled.input), () =>
      run(app, operation, accounts, stored, {
        ...{
          typed: node.config,
          filled,
          step: stepOf(node, processor),
          lane: `node ${node.id}`,
          signal,
        },
      }),
    );
  },
});

/**
 * The workflow nodes of all operations, with their types.
 *
 * @param store the plugin's store
 */
export function operationInstructions(app: Application, accounts: Accounts, store: Store) {
  const stored = { store, steps: workflowSteps<TelephonyRecord>(store) };
  return operations.map((operation) => ({
    type: instructionType(operation),
    instruction: operationInstruction(operation, app, accounts, stored),
  }));
}
