import { type Field, isMissing, TelephonyError } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';

type NodeValues = Record<string, unknown>;

/** A node of a workflow of NocoBase. */
export interface WorkflowNode {
  id: number;
  config: NodeValues;
}

/** What carries out a workflow. */
export interface Processor {
  /** What the workflow was started with; nothing of it once it has paused. */
  options: { replyTo?: string };
  getParsedValue(value: unknown, nodeId: number): NodeValues;
}

interface NodeResult {
  status: number;
  result: unknown;
}

/** The states of a node that NocoBase's workflows know. */
const status = { resolved: 1, failed: -1, error: -2 } as const;

/**
 * The input of a node: what was typed, with the values of variables. A variable that has no value is missing, and never all.
 *
 * @param typed what was typed into the fields, by their keys
 * @param filled the same with the values of variables
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
      `"${missing.label}" is missing: ${String(typed[missing.key])} has no value.`,
      { field: missing.key },
    );
  return Object.fromEntries(given.map(({ key }) => [key, filled[key]]));
}

/**
 * The outcome of a node: what it answers, or a sentence with its code, which is in NocoBase's log, too, since no one waits for
 * it.
 *
 * @param name what the log says was done
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
