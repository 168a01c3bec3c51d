import {
  aboutValues,
  isAction,
  isPage,
  type Operation,
  operations,
  TelephonyError,
} from '../../../../src/index.ts';
import { instructionType } from '../../instruction-type.ts';
import { isMissing } from '../../is-missing.ts';
import type { Accounts } from '../account/account.ts';
import { withSender } from '../action/action.ts';
import type { Application } from '../nocobase.ts';

type NodeValues = Record<string, unknown>;

interface WorkflowNode {
  id: number;
  config: NodeValues;
}

interface Processor {
  getParsedValue(value: unknown, nodeId: number): NodeValues;
}

/** The states of a node that NocoBase's workflows know. */
const status = { resolved: 1, failed: -1, error: -2 } as const;

/**
 * The input of a node: what was typed, with the values of variables. A variable that has no value is missing, and never all.
 *
 * @throws {TelephonyError} with the `field` that has no value
 */
function inputOf({ fields }: Operation, typed: NodeValues, filled: NodeValues): NodeValues {
  const given = fields.filter(({ key }) => !isMissing(typed[key]));
  const missing = given.find(({ key }) => isMissing(filled[key]));
  if (missing)
    throw new TelephonyError(
      'input',
      `"${missing.label}" is missing: ${String(typed[missing.key])} has no value.`,
      { field: missing.key },
    );
  return Object.fromEntries(given.map(({ key }) => [key, filled[key]]));
}

interface Work {
  typed: NodeValues;
  filled: NodeValues;
  /** Is aborted when the workflow is stopped. */
  signal?: AbortSignal | undefined;
}

async function run(operation: Operation, accounts: Accounts, { typed, filled, signal }: Work) {
  const account = await accounts.get(filled.account);
  const input = inputOf(operation, Object(typed.input ?? {}), Object(filled.input ?? {}));
  const telephony = account.telephony();
  // What is on its way is not given up: nobody would know what became of it.
  if (isAction(operation))
    return telephony.run(operation.id, withSender(operation, account, input), { waiting: signal });
  const found = await telephony.run(operation.id, input, { signal });
  return isPage(found) ? found.records : found;
}

/** What is said of a node that failed, where nobody waits for it: with whom it was about. */
function reported(operation: Operation, input: unknown, message: string): string {
  const about = aboutValues(operation, Object(input ?? {}));
  return `${operation.name}${about && ` (${about})`}: ${message}`;
}

/** The kind of node that an operation is in NocoBase's workflows. The nodes that follow can use what it answers. */
const operationInstruction = (operation: Operation, app: Application, accounts: Accounts) => ({
  run: async (
    node: WorkflowNode,
    _previous: unknown,
    processor: Processor,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    const filled = processor.getParsedValue(node.config, node.id);
    try {
      const result = await run(operation, accounts, { typed: node.config, filled, signal });
      return { status: status.resolved, result };
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error;
      const { code, message, field } = error;
      app.logger.error(reported(operation, filled.input, message));
      const isTyped = code === 'input' || code === 'settings';
      return { status: isTyped ? status.error : status.failed, result: { code, message, field } };
    }
  },
});

/** The kinds of nodes that the operations are, by their types. */
export const operationInstructions = (app: Application, accounts: Accounts) =>
  operations.map((operation) => ({
    type: instructionType(operation),
    instruction: operationInstruction(operation, app, accounts),
  }));
