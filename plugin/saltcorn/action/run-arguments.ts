import type { SaltcornTable } from '@saltcorn/data/models/table';
import type { Row } from '../where/where.ts';

/** A row of another table: its own key, and what formulas use of it. Plain data. */
export interface JoinedRow {
  key: unknown;
  columns: Row;
  rows: JoinedRows;
}

/** The rows of other tables that a row refers to, by the column that does; null if there is no such row, or it may not be read. */
export type JoinedRows = Record<string, JoinedRow | null>;

/** The arguments that Saltcorn passes to an action. */
export interface RunArguments {
  row?: Row;
  user?: { id?: number };
  /** A Saltcorn table, unless the row has replaced it. */
  table?: unknown;
  /** The action's fields as filled in in the builder. */
  configuration?: Row;
  req?: object;
  mode?: unknown;
  /** The rows of other tables that the fields use, which the plugin reads. */
  joined?: JoinedRows | undefined;
}

/**
 * Whether Saltcorn may have spread a row or an event over the arguments. If so, it sets one of these first; a row can
 * replace but not remove them.
 */
export const mayBeSpread = (run: object): boolean => 'trigger_id' in run || 'channel' in run;

/** Whether the action is a workflow step. A trigger's row can also have a column named `mode`. */
export const isStep = (run: RunArguments): boolean =>
  run.mode === 'workflow' && !(mayBeSpread(run) && run.row?.mode === run.mode);

/** Whether a value is a Saltcorn table: rows contain no functions. */
export const isTable = (value: unknown): value is SaltcornTable =>
  typeof Object(value).getRows === 'function';
