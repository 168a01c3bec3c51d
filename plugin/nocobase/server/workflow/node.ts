import { type Field, isMissing, sentence, TelephonyError } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';
import type { TriggerOptions } from './workflows.ts';

type NodeValues = Record<string, unknown>;

/** A workflow node. */
export interface WorkflowNode {
  id: number;
  config: NodeValues;
}

/** Runs a workflow. */
export interface Processor {
  /** The options of the execution; lost once the workflow has paused. */
  options: Pick<TriggerOptions, 'replyTo' | 'turn'>;
  execution: {
    id: number | string;
    /** Whether someone executed the workflow manually, without an event. */
    manually?: boolean | null;
  };
  /** The values that a node can use: `$scopes` are those of the loops around it. */
  getScope(nodeId: number): { $scopes: Record<string, { index?: number }> };
  getParsedValue(value: unknown, nodeId: number): NodeValues;
}

interface NodeResult {
  status: number;
  result: unknown;
}

/** NocoBase's node statuses. */
const status = { resolved: 1, failed: -1, error: -2 } as const;

/**
 * Returns a node's input with the values of variables. A variable without a value is an error: missing never means all.
 *
 * @param typed the configured values by field key
 * @param filled the same values with variables replaced
 * @throws {TelephonyError} with the `field` that has no value
 */
export function inputOf(
  fields: readonly Field[],
  typed: NodeValues,
  filled: NodeValues,
): NodeValues {
  const given = fields.filter(({ key }) => !isMissing(typed[key]));
  const missing = given.find(({ key }) => isMissing(filled[key]));
  if (missing)
    throw new TelephonyError(
      'input',
      sentence('"{label}" is missing: {variable} has no value.', {
        ...{ label: { text: missing.label }, variable: String(typed[missing.key]) },
      }),
      { field: missing.key },
    );
  return Object.fromEntries(given.map(({ key }) => [key, filled[key]]));
}

/**
 * Returns a node's outcome: its result, or an error's message and code. Also logs the error, because no user waits for
 * the node.
 *
 * @param name the node's name in the log
 */
export async function resultOf(
  app: Application,
  name: string,
  work: () => Promise<unknown>,
): Promise<NodeResult> {
  try {
    return { status: status.resolved, result: await work() };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    const { code, message, field } = error;
    app.logger.error(`${name}: ${message}`);
    const isTyped = code === 'input' || code === 'settings';
    return { status: isTyped ? status.error : status.failed, result: { code, message, field } };
  }
}
