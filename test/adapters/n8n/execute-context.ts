import { setImmediate } from 'node:timers/promises';
import type { Execute, Item, Values } from 'n8n-workflow';

// A stand-in for n8n, which runs a node again with the context that it kept for the node. A worker that takes over an execution has no
// context, only what was claimed in n8n's database.

/** What n8n keeps for a node: the context of an execution, and the claims of all executions. */
export interface Kept {
  context: Values;
  claims: Set<string>;
  /** How many bytes each change of the claims read or wrote at most: n8n reads and writes them as a whole. */
  sizes: number[];
  /** What nodes do once n8n has stored the execution. */
  ends: (() => Promise<void>)[];
}

export const newKept = (): Kept => ({ context: {}, claims: new Set(), sizes: [], ends: [] });

/** A run of the node. */
export interface Run {
  kept: Kept;
  execution?: string | undefined;
  type?: string;
  runIndex?: number;
  mode?: string;
  /** The token that resumes the execution. Earlier versions of n8n have none. */
  token?: string;
  /** Reads what n8n has stored of the context of the execution; undefined if it has deleted the execution. */
  stored?: () => Values | undefined;
}

/** Returns what a run of the node gets from n8n. */
export const executeContext = (
  { kept, type = 'telephony', runIndex = 0, mode = 'manual', token = '', ...given }: Run,
  more: Partial<Record<keyof Execute, unknown>> = {},
) =>
  ({
    runIndex,
    getMode: () => mode,
    getNode: () => ({ id: 'node', name: 'Telephony', type }),
    getWorkflow: () => ({ id: 'workflow' }),
    getContext: () => kept.context,
    getInputData: (): Item[] => [{ json: {} }],
    getExecutionId: () => ('execution' in given ? given.execution : '1'),
    getExecutionCancelSignal: () => undefined,
    onExecutionFinish: (act: () => Promise<void>) => kept.ends.push(act),
    async getExecutionDataById() {
      const stored = given.stored?.();
      return stored && { executionData: { contextData: { 'node:Telephony': stored } } };
    },
    getWorkflowDataProxy: () => ({
      $execution: {
        resumeUrl: `https://n8n.test/webhook-waiting/1${token && `?signature=${token}`}`,
      },
    }),
    ...more,
    helpers: {
      async checkProcessedAndRecord(keys: string[]) {
        // A database answers later than what waits in the process.
        await setImmediate();
        const processed = keys.filter((key) => kept.claims.has(key));
        for (const key of keys) kept.claims.add(key);
        kept.sizes.push(JSON.stringify([...kept.claims]).length);
        return { new: keys.filter((key) => !processed.includes(key)), processed };
      },
      async removeProcessed(keys: string[]) {
        kept.sizes.push(JSON.stringify([...kept.claims]).length);
        for (const key of keys) kept.claims.delete(key);
      },
      ...(more.helpers as object),
    },
  }) as unknown as Execute;
