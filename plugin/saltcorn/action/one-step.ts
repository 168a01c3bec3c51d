import { isDeepStrictEqual } from 'node:util';
import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import WorkflowRun, { type WorkflowRun as Run } from '@saltcorn/data/models/workflow_run';
import WorkflowStep from '@saltcorn/data/models/workflow_step';
import { type Said, workflowSteps } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';
import type { RunArguments } from './run-arguments.ts';

const steps = workflowSteps<object>(store, { isAlone });

/** A value as Saltcorn stores it. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? {}));

/** The fields of the action that a run is about to do: those of its step, or of the trigger that the step names. */
async function fieldsOf({ trigger_id, current_step }: Run): Promise<unknown[]> {
  const step = await WorkflowStep.findOne({ trigger_id, name: current_step.at(-1) });
  const named = getState().triggers.find(({ name }) => name === step?.action_name);
  return [step?.configuration, named?.configuration];
}

/**
 * Finds the run whose step an action is, by its values and fields: Saltcorn doesn't pass it.
 *
 * @returns undefined if several runs have the same, or a step changed its values without a result
 */
async function runOf({ configuration, row }: RunArguments): Promise<Run | undefined> {
  const values = stored(row);
  const fields = stored(configuration);
  const found: Run[] = [];
  for (const run of await WorkflowRun.find({ status: 'Running' }))
    if (
      isDeepStrictEqual(stored(run.context), values) &&
      (await fieldsOf(run)).some((one) => isDeepStrictEqual(stored(one), fields))
    )
      found.push(run);
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the table of the trigger whose workflow a step is part of; undefined if it has none. */
export async function tableOfStep(run: RunArguments): Promise<SaltcornTable | undefined> {
  const { trigger_id } = (await runOf(run)) ?? {};
  const { table_id } = getState().triggers.find(({ id }) => id === trigger_id) ?? {};
  return (table_id && Table.findOne({ id: table_id })) || undefined;
}

/**
 * Does the work of a workflow step once, even if Saltcorn repeats the step after a crash. The step's turn in a loop is part of the run's
 * current step, and its turn in a circle of steps changes the run's values.
 *
 * @param ifUnknown what the user should do if the outcome is unknown
 * @throws {TelephonyError} `unknown-outcome` if Saltcorn ended during the step
 */
export async function asOneStep<Result extends object>(
  run: RunArguments,
  work: () => Promise<Result>,
  ifUnknown: Said,
): Promise<Result> {
  const found = await runOf(run);
  if (!found) return work();
  const key = JSON.stringify([db.getTenantSchema(), found.id, found.current_step, found.context]);
  return (await steps.once(key, work, ifUnknown)) as Result;
}

/** Deletes expired steps. */
export const expireSteps = (): Promise<void> => steps.expire();
