import type { Row } from '../where/where.ts';

/** What Saltcorn runs an action with. */
export interface RunArguments {
  row?: Row;
  user?: { id?: number };
  /** A table of Saltcorn's, unless the row has replaced it. */
  table?: unknown;
  /** The fields of the action, as they were filled in in the builder. */
  configuration?: Row;
  req?: object;
  mode?: unknown;
}

/**
 * Whether Saltcorn may have spread a row or an event over the arguments. Where it does, one of these stands before it, and can be
 * replaced but not taken away.
 */
export const mayBeSpread = (run: object): boolean => 'trigger_id' in run || 'channel' in run;

/** Whether it is a step of a workflow. The row of a trigger can have a column of that name, too. */
export const isStep = (run: RunArguments): boolean =>
  run.mode === 'workflow' && !(mayBeSpread(run) && run.row?.mode === run.mode);
